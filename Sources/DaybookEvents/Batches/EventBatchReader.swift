import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookRecords
import DaybookRows

/// Reads encoded batches. No input traps, and the size of the text is checked before memory is
/// allocated for it.
enum EventBatchReader {
    static let formatName = "daybook-events"
    static let version = 1
    /// The maximum length of the first line.
    private static let headerSizeBytesMax = 256
    /// The maximum length of the name of a type.
    private static let nameSizeBytesMax = 1000
    /// The years 1 to 9999, in microseconds since 1970.
    private static let times =
        -62_135_596_800_000_000...253_402_300_799_999_999 as ClosedRange<Int64>

    static func read(_ bytes: [UInt8]) throws(DaybookError) -> EventBatch {
        guard let end = bytes.prefix(headerSizeBytesMax).firstIndex(of: 0x0A),
            let header = try header(Array(bytes[..<end]))
        else { throw damaged("they do not begin with the line of a batch") }
        guard header.sizeBytes <= EventBatch.sizeBytesMax else {
            throw damaged("the text has \(header.sizeBytes) bytes")
        }
        let compressed = Array(bytes[(end + 1)...])
        let raw = try Zstd.decompress(compressed.span, rawLength: header.sizeBytes)
        guard String(XXH64.hash(raw.span), radix: 16) == header.hash else {
            throw damaged("the checksum of the text is wrong")
        }
        do throws(DaybookError) {
            return try batch(raw, bytes)
        } catch  where error.code == .dumpInvalid {
            throw damaged(error.message)
        }
    }

    private struct Header {
        var sizeBytes: Int
        var hash: String
    }

    /// The first line; nil if it belongs to another format.
    private static func header(_ line: [UInt8]) throws(DaybookError) -> Header? {
        guard case .map(let members)? = try? JSONValue.read(line.span),
            members["format"] == .text(formatName),
            case .integer(let number)? = members["version"]
        else { return nil }
        guard number > 0 else { return nil }
        guard number <= version else {
            throw DaybookError(
                .formatTooNew,
                "The batch of events has version \(number); this release reads versions up to"
                    + " \(version). Update the program that collects events.",
                details: ["version": String(number)])
        }
        guard case .integer(let size)? = members["bytes"], let sizeBytes = Int(exactly: size),
            case .text(let hash)? = members["xxh64"]
        else { return nil }
        return Header(sizeBytes: sizeBytes, hash: hash)
    }

    private static func batch(
        _ raw: [UInt8], _ bytes: [UInt8]
    ) throws(DaybookError) -> EventBatch {
        var lines = BatchLines(raw)
        let places = try places(try lines.next() ?? [])
        let (start, end) = (places.start, places.end)
        var commits: [EventCommit] = []
        var place = start
        while let line = try lines.next() {
            var json = JSONReader(line.span)
            try json.beginObject()
            if try json.isAt("commit") {
                let commit = try commit(&json)
                let isNext =
                    commits.isEmpty
                    ? commit.sequence >= place.sequence : commit.sequence > place.sequence
                guard commits.last?.events.isEmpty != true, isNext, commit.sequence <= end.sequence
                else { throw damaged("the commit \(commit.sequence) is out of order") }
                place = max(place, EventPosition(sequence: commit.sequence))
                commits.append(commit)
            } else {
                let event = try event(&json)
                guard !commits.isEmpty, event.index > place.index else {
                    throw damaged("the event \(event.index) is out of order")
                }
                place.index = event.index
                commits[commits.count - 1].events.append(event)
            }
            try json.endObject()
            try json.end()
        }
        guard commits.last?.events.isEmpty == false, end >= place else {
            throw damaged("the end \(end) is before an event, or there is none")
        }
        return EventBatch(
            store: places.store, start: start, previous: places.previous, end: end, bytes: bytes,
            commits: commits)
    }

    private struct Places {
        var store: String
        var start: EventPosition
        var previous: EventPosition?
        var end: EventPosition
    }

    private static func places(_ line: [UInt8]) throws(DaybookError) -> Places {
        var json = JSONReader(line.span)
        try json.beginObject()
        try json.member("store")
        let store = try json.string()
        guard StoreIdentity(store)?.description == store else {
            throw damaged("'\(store.prefix(50))' is not the identity of a store")
        }
        try json.member("start")
        let start = try position(&json)
        var previous: EventPosition?
        if try json.hasMember("previous") { previous = try position(&json) }
        try json.member("end")
        let end = try position(&json)
        try json.endObject()
        try json.end()
        guard start.sequence > 0, start <= end, end.sequence < UInt64(Int64.max),
            previous ?? start <= start
        else { throw damaged("the places are out of range") }
        return Places(store: store, start: start, previous: previous, end: end)
    }

    private static func position(_ json: inout JSONReader) throws(DaybookError) -> EventPosition {
        var numbers: [UInt64] = []
        try json.beginArray()
        while try json.nextElement() { numbers.append(try json.integer()) }
        guard numbers.count == 2 else { throw damaged("a place has two numbers") }
        return EventPosition(sequence: numbers[0], index: numbers[1])
    }

    private static func commit(_ json: inout JSONReader) throws(DaybookError) -> EventCommit {
        try json.member("commit")
        let sequence = try json.integer(UInt64.self)
        try json.member("time")
        let time = try json.integer(Int64.self)
        try json.member("metadata")
        var metadata: [String: String] = [:]
        try json.beginObject()
        while let key = try json.nextName() { metadata[key] = try json.string() }
        try json.endObject()
        guard SourceNote.canBeGiven(metadata), times.contains(time) else {
            throw damaged("the metadata of the commit \(sequence) or its time are not possible")
        }
        return EventCommit(sequence: sequence, timeMicroseconds: time, metadata: metadata)
    }

    private static func event(_ json: inout JSONReader) throws(DaybookError) -> EventCommit.Event {
        try json.member("event")
        let index = try json.integer(UInt64.self)
        try json.member("entity")
        let name = try json.string()
        try json.member("values")
        guard case .map(let members) = try JSONValue.read(&json) else {
            throw json.problem("an object is expected here")
        }
        guard name.utf8.count <= nameSizeBytesMax else {
            throw json.problem("the name of the type is too long")
        }
        return EventCommit.Event(index: index, entityName: name, members: members)
    }

    private static func damaged(_ reason: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The bytes are no batch of events, or are damaged: \(reason). Get them again from"
                + " their store.")
    }
}

/// The lines of a text. Memory: one line.
private struct BatchLines {
    private let text: [UInt8]
    private var start = 0

    init(_ text: [UInt8]) { self.text = text }

    /// The next line without its line feed; nil at the end. Throws `.dumpInvalid` for a last line
    /// without an end.
    mutating func next() throws(DaybookError) -> [UInt8]? {
        guard start < text.count else { return nil }
        guard let end = text[start...].firstIndex(of: 0x0A) else {
            throw DaybookError(.dumpInvalid, "the last line has no end")
        }
        defer { start = end + 1 }
        return Array(text[start..<end])
    }
}
