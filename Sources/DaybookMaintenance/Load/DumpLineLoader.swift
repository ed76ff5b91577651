import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Converts the lines after the head of a dump into the records of a log.
protocol DumpLineLoader {
    /// The counts of the lines that were read.
    var counts: DumpCounts { get }
    /// Whether the last line was read.
    var isAtEnd: Bool { get }
    /// Reads a line. Throws `.dumpInvalid` with the column, and the errors of writing.
    mutating func read(_ line: Span<UInt8>) throws(DaybookError)
    /// Writes the remaining records; returns the log.
    mutating func finish() throws(DaybookError) -> SealedSegmentWriter
}

/// The first line of a dump.
struct DumpHead {
    let sequence: UInt64
    /// The commit time of the last transaction; 0 in a history, in which each transaction has a
    /// time.
    let timeMicroseconds: Int64
    let historyFloor: UInt64
    /// Whether the lines are the records of a history, not the objects of a state.
    let isHistory: Bool

    init(_ line: Span<UInt8>) throws(DaybookError) {
        var json = JSONReader(line)
        try json.beginObject()
        isHistory = try json.hasMember("history")
        if !isHistory { try json.member("dump") }
        let version: Int = try json.integer()
        guard version == DumpFormat.version else {
            throw DaybookError(
                version > DumpFormat.version ? .formatTooNew : .dumpInvalid,
                "the dump has format \(version); this release reads format \(DumpFormat.version)")
        }
        try json.member("sequence")
        sequence = try json.integer()
        guard sequence < RecordFormat.sequenceMax else {
            throw json.problem("\(sequence) is not a sequence")
        }
        if isHistory {
            try json.member("historyFloor")
            historyFloor = try json.integer()
            timeMicroseconds = 0
            guard historyFloor <= sequence else {
                throw json.problem("the history floor is after the last transaction")
            }
        } else {
            try json.member("time")
            timeMicroseconds = try json.integer()
            historyFloor = sequence
        }
        try json.endObject()
        try json.end()
    }
}

extension JSONReader {
    /// The id of an object, or the number of an event.
    mutating func loadedId() throws(DaybookError) -> UInt64 {
        let id: UInt64 = try integer()
        guard id > 0, id <= WriteTransaction.idMax else { throw problem("\(id) is not an id") }
        return id
    }

    /// Reads the next member, which names an entity of the given kind.
    mutating func loadedEntity(
        _ kind: EntityKind, _ schemas: SchemaTable
    ) throws(DaybookError) -> UInt32 {
        try member("of")
        let name = try string()
        let schema = schemas.schema
        guard let entity = schema.entity(named: name)?.id,
            schema.currentLayout(ofEntity: entity)?.kind == kind
        else {
            throw problem(
                "no layout defines an entity of \(kind == .event ? "events" : "objects") '\(name)'")
        }
        return entity
    }

    /// Reads a layout number and a row of that layout.
    mutating func loadedRow(
        of entity: UInt32, _ schemas: SchemaTable
    ) throws(DaybookError) -> (layout: UInt32, row: [UInt8]) {
        try member("layout")
        let number: UInt32 = try integer()
        guard let layout = try? schemas.rowLayout(number), layout.layout.entityID == entity else {
            throw problem("layout \(number) does not belong to the entity")
        }
        try member("row")
        var encoder = RowEncoder(layout)
        try exactRow(layout, into: &encoder, layouts: schemas.rowLayout)
        return (number, encoder.row.array)
    }
}

extension SchemaTable {
    /// Adds a layout that was loaded. Throws if its number is in use, or if its indexes are
    /// invalid.
    func add(loaded layout: EntityLayout, _ json: borrowing JSONReader) throws(DaybookError) {
        guard schema.layout(layout.layoutID) == nil else {
            throw json.problem("layout \(layout.layoutID) is defined twice")
        }
        _ = try IndexPlan(layout)
        try add([layout])
    }
}
