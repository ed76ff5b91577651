/// Consecutive transactions of a log: one object of an archive.
///
/// A segment without parts is a gap: a compaction dropped the history before it was archived, and a
/// base has the state after it.
struct ArchiveSegment: Sendable, Equatable {
    /// Encoded transactions, as a replica returns them.
    struct Part: Sendable, Equatable {
        /// The sequence of the last transaction.
        var lastSequence: UInt64
        var bytes: [UInt8]
    }

    /// The identity of the store, a UUID.
    var store: String
    /// The sequence of the first transaction.
    var firstSequence: UInt64
    /// The sequence of the last transaction.
    var lastSequence: UInt64
    /// The times of the first and the last commit, in microseconds since 1970.
    var timesMicroseconds: ClosedRange<Int64>
    /// The hash of the segment before; ``ArchiveHash/none`` if the archive begins with this one.
    var predecessor: ArchiveHash
    /// The place in the replicated log after the last transaction; empty if it is unknown.
    var place: [UInt8]
    var parts: [Part]
    /// Whether the segment has no transactions.
    var isGap = false

    private static let mark = Array("DBAS".utf8)
    private static let version: UInt16 = 1
    private static let identityLength = 36
    /// The length of an empty segment.
    static let headerLength = 4 + 2 + 2 + identityLength + 4 * 8 + ArchiveHash.length + 4 + 4

    /// Encodes the segment. Returns its bytes and its hash, which are the last of the bytes.
    func encoded() -> (bytes: [UInt8], hash: ArchiveHash) {
        var bytes: [UInt8] = []
        let partsLength = parts.reduce(0) { $0 + 12 + $1.bytes.count }
        bytes.reserveCapacity(
            Self.headerLength + place.count + partsLength + ArchiveHash.length)
        bytes += Self.mark
        bytes.append(number: Self.version)
        bytes.append(number: UInt16(isGap ? 1 : 0))
        bytes += Array(store.utf8)
        bytes.append(number: firstSequence)
        bytes.append(number: lastSequence)
        bytes.append(number: timesMicroseconds.lowerBound)
        bytes.append(number: timesMicroseconds.upperBound)
        bytes += predecessor.bytes
        bytes.append(number: UInt32(place.count))
        bytes += place
        bytes.append(number: UInt32(parts.count))
        for part in parts {
            bytes.append(number: part.lastSequence)
            bytes.append(number: UInt32(part.bytes.count))
            bytes += part.bytes
        }
        let hash = ArchiveHash(of: bytes)
        bytes += hash.bytes
        return (bytes, hash)
    }

    /// Why bytes are no segment.
    enum Defect: Error, Equatable {
        case damaged(String)
        case newer(version: UInt16)
    }

    /// Decodes a segment, and checks its hash and its sequences.
    static func decode(
        _ bytes: [UInt8]
    ) throws(Defect) -> (segment: ArchiveSegment, hash: ArchiveHash) {
        var reader = ArchiveBytesReader(bytes.dropLast(ArchiveHash.length))
        guard reader.take(mark.count)?.elementsEqual(mark) == true else {
            throw .damaged("it does not begin with the mark of a segment")
        }
        guard let version = reader.number(UInt16.self) else {
            throw .damaged("it is too short")
        }
        guard version == Self.version else { throw .newer(version: version) }
        let hash = ArchiveHash(of: bytes.dropLast(ArchiveHash.length))
        guard bytes.suffix(ArchiveHash.length).elementsEqual(hash.bytes) else {
            throw .damaged("its hash is not that of its bytes")
        }
        guard var segment = ArchiveSegment(header: &reader), segment.addParts(&reader),
            reader.isAtEnd
        else {
            throw .damaged("a length in it is wrong")
        }
        guard segment.hasValidSequences else {
            throw .damaged("its sequences do not ascend")
        }
        return (segment, hash)
    }

    /// The first bytes of a segment, which contain its header.
    static let headerRange = 0..<4096

    /// Decodes a segment without its parts from ``headerRange``, without a check of its hash; nil
    /// for other bytes.
    static func header(_ bytes: [UInt8]) -> ArchiveSegment? {
        var reader = ArchiveBytesReader(bytes[...])
        guard reader.take(mark.count)?.elementsEqual(mark) == true,
            reader.number(UInt16.self) == version
        else { return nil }
        return ArchiveSegment(header: &reader)
    }

    private init?(header reader: inout ArchiveBytesReader) {
        guard let kind: UInt16 = reader.number(), kind < 2,
            let identity = reader.take(Self.identityLength),
            let first: UInt64 = reader.number(), let last: UInt64 = reader.number(),
            let firstTime: Int64 = reader.number(), let lastTime: Int64 = reader.number(),
            firstTime <= lastTime, let predecessor = reader.take(ArchiveHash.length),
            let placeLength: UInt32 = reader.number()
        else { return nil }
        guard let place = reader.take(Int(placeLength)) else { return nil }
        store = String(decoding: identity, as: UTF8.self)
        firstSequence = first
        lastSequence = last
        timesMicroseconds = firstTime...lastTime
        self.predecessor = ArchiveHash(predecessor)
        self.place = Array(place)
        parts = []
        isGap = kind == 1
    }

    /// Decodes the parts. Returns false if a length is wrong.
    private mutating func addParts(_ reader: inout ArchiveBytesReader) -> Bool {
        guard let partCount = reader.number(UInt32.self) else { return false }
        for _ in 0..<partCount {
            guard let lastSequence: UInt64 = reader.number(),
                let length: UInt32 = reader.number(), let bytes = reader.take(Int(length))
            else { return false }
            parts.append(Part(lastSequence: lastSequence, bytes: Array(bytes)))
        }
        return true
    }

    init(
        store: String, firstSequence: UInt64, lastSequence: UInt64,
        timesMicroseconds: ClosedRange<Int64>, predecessor: ArchiveHash, place: [UInt8],
        parts: [Part]
    ) {
        self.store = store
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
        self.timesMicroseconds = timesMicroseconds
        self.predecessor = predecessor
        self.place = place
        self.parts = parts
    }

    /// Whether the parts ascend from the first sequence to the last one.
    private var hasValidSequences: Bool {
        guard firstSequence > 0, firstSequence <= lastSequence, lastSequence < .max,
            isGap ? parts.isEmpty : parts.last?.lastSequence == lastSequence
        else { return false }
        var before = firstSequence - 1
        for part in parts {
            guard part.lastSequence > before else { return false }
            before = part.lastSequence
        }
        return true
    }
}
