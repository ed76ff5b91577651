import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Converts the lines of a dumped history back into records.
struct HistoryLineLoader: DumpLineLoader {
    private let head: DumpHead
    private let schemas: SchemaTable
    private var log: SealedSegmentWriter
    private(set) var counts = DumpCounts()
    private(set) var isAtEnd = false
    /// The transaction of the last line, and whether it is not committed yet.
    private var sequence: UInt64 = 0
    private var isOpen = false
    private var timeMicroseconds = Int64.min
    /// The objects with a record in the transaction: one record per object is allowed.
    private var touched: Set<TouchedObject> = []

    private struct TouchedObject: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    init(_ head: DumpHead, _ schemas: SchemaTable, _ log: SealedSegmentWriter) {
        self.head = head
        self.schemas = schemas
        self.log = log
        counts.sequence = head.sequence
    }

    mutating func read(_ line: Span<UInt8>) throws(DaybookError) {
        var json = JSONReader(line)
        guard !isAtEnd else { throw json.problem("a line follows the last line") }
        try json.beginObject()
        if try json.hasMember("end") {
            try readEnd(&json)
        } else {
            try json.member("sequence")
            try enter(try json.integer(), json)
            try readRecord(&json)
            counts.records += 1
        }
        try json.endObject()
        try json.end()
    }

    mutating func finish() throws(DaybookError) -> SealedSegmentWriter {
        try log.finish()
        return log
    }

    private mutating func readRecord(_ json: inout JSONReader) throws(DaybookError) {
        if try json.hasMember("put") {
            try readPut(&json)
        } else if try json.hasMember("link") {
            try readLink(isMade: true, &json)
        } else if try json.hasMember("commit") {
            try readCommit(&json)
        } else if try json.hasMember("unlink") {
            try readLink(isMade: false, &json)
        } else if try json.hasMember("remove") {
            try readRemove(&json)
        } else if try json.hasMember("event") {
            try readEvent(&json)
        } else if try json.isAt("layout") {
            let layout = try json.layout()
            try schemas.add(loaded: layout, json)
            try append { $0.schema(layout) }
        } else if try json.hasMember("compacted") {
            try readCompacted(&json)
        } else if try json.hasMember("erased") {
            try readErased(&json)
        } else {
            throw json.problem(
                "\"put\", \"remove\", \"event\", \"link\", \"unlink\", \"layout\", \"compacted\","
                    + " \"erased\" or \"commit\" is expected here")
        }
    }

    private mutating func readPut(_ json: inout JSONReader) throws(DaybookError) {
        let (entity, id, previous) = try readObject(&json)
        let (layout, row) = try json.loadedRow(of: entity, schemas)
        try append {
            $0.put(entity: entity, id: id, previous: previous, layout: layout, row: row.span)
        }
    }

    private mutating func readRemove(_ json: inout JSONReader) throws(DaybookError) {
        let (entity, id, previous) = try readObject(&json)
        try append { $0.remove(entity: entity, id: id, previous: previous) }
    }

    private mutating func readObject(
        _ json: inout JSONReader
    ) throws(DaybookError) -> (entity: UInt32, id: UInt64, previous: UInt64) {
        let id = try json.loadedId()
        let entity = try json.loadedEntity(.object, schemas)
        guard touched.insert(TouchedObject(entity: entity, id: id)).inserted else {
            throw json.problem("the transaction already has a record of the object")
        }
        try json.member("previous")
        let previous: UInt64 = try json.integer()
        guard previous < sequence else {
            throw json.problem("the preceding version must be of an earlier transaction")
        }
        return (entity, id, previous)
    }

    private mutating func readEvent(_ json: inout JSONReader) throws(DaybookError) {
        let id = try json.loadedId()
        let entity = try json.loadedEntity(.event, schemas)
        let (layout, row) = try json.loadedRow(of: entity, schemas)
        try append { $0.event(entity: entity, id: id, layout: layout, row: row.span) }
    }

    private mutating func readLink(
        isMade: Bool, _ json: inout JSONReader
    ) throws(DaybookError) {
        let target = try json.loadedId()
        try json.member("from")
        let source = try json.loadedId()
        try json.member("relation")
        let number: UInt32 = try json.integer()
        guard let relation = schemas.relation(number) else {
            throw json.problem("no layout defines relation \(number)")
        }
        guard relation.type.hasPositions else {
            return try append { records in
                if isMade {
                    records.link(relation: number, source: source, target: target)
                } else {
                    records.unlink(relation: number, source: source, target: target)
                }
            }
        }
        let position = try readPosition(&json)
        try append { records in
            let bytes = position.span
            if isMade {
                records.listInsert(
                    relation: number, source: source, target: target, position: bytes)
            } else {
                records.listRemove(
                    relation: number, source: source, target: target, position: bytes)
            }
        }
    }

    private func readPosition(_ json: inout JSONReader) throws(DaybookError) -> [UInt8] {
        try json.member("position")
        var position = ByteWriter(capacity: 16)
        try json.base64(into: &position)
        guard ListPosition.isValid(position.bytes) else {
            throw json.problem("this is not a position")
        }
        return position.bytes
    }

    private mutating func readCompacted(_ json: inout JSONReader) throws(DaybookError) {
        let number: UInt8 = try json.integer()
        guard let policy = CompactedRecord.Policy(rawValue: number) else {
            throw json.problem("\(number) is not a kind of compaction")
        }
        try json.member("historyFloor")
        var compacted = CompactedRecord(policy: policy, historyFloor: try json.integer())
        try json.member("nextIds")
        try json.beginArray()
        while try json.nextElement() {
            let entity: UInt32 = try json.integer()
            guard try json.nextElement() else { throw json.problem("an id is expected here") }
            compacted.nextIds[entity] = try json.integer()
        }
        try json.member("removedEntities")
        try json.beginArray()
        while try json.nextElement() { compacted.removedEntities.insert(try json.integer()) }
        // Decoding checks the same rules as reading a log.
        var writer = ByteWriter(capacity: 64)
        compacted.encode(to: &writer)
        _ = try CompactedRecord(decoding: writer.span)
        let record = compacted
        try append { $0.compacted(record) }
    }

    private mutating func readErased(_ json: inout JSONReader) throws(DaybookError) {
        var erased = ErasedRecord(entity: try json.integer(), objects: .count(0))
        try json.member("properties")
        try json.beginArray()
        while try json.nextElement() { erased.properties.append(try json.integer()) }
        if try json.hasMember("ids") {
            var ids: [UInt64] = []
            try json.beginArray()
            while try json.nextElement() { ids.append(try json.integer()) }
            guard zip(ids, ids.dropFirst()).allSatisfy(<) else {
                throw json.problem("the ids of an erasure must ascend")
            }
            erased.objects = .ids(ids)
        } else {
            try json.member("objectCount")
            erased.objects = .count(try json.integer())
        }
        guard zip(erased.properties, erased.properties.dropFirst()).allSatisfy(<) else {
            throw json.problem("the properties of an erasure must ascend")
        }
        // Decoding checks the same rules as reading a log.
        var writer = ByteWriter(capacity: 64)
        erased.encode(to: &writer)
        _ = try ErasedRecord(decoding: writer.span)
        let record = erased
        try append { $0.erased(record) }
    }

    private mutating func readCommit(_ json: inout JSONReader) throws(DaybookError) {
        let time: Int64 = try json.integer()
        guard time >= timeMicroseconds else {
            throw json.problem("a transaction must not be earlier than the preceding one")
        }
        timeMicroseconds = time
        let metadata = try json.pairs("metadata")
        try log.commit(
            CommitRecord(sequence: sequence, timeMicroseconds: time, metadata: metadata))
        isOpen = false
        touched.removeAll(keepingCapacity: true)
        counts.transactions += 1
    }

    private mutating func readEnd(_ json: inout JSONReader) throws(DaybookError) {
        var said = DumpCounts()
        said.sequence = try json.integer()
        try json.member("transactions")
        said.transactions = try json.integer()
        try json.member("records")
        said.records = try json.integer()
        guard said == counts, !isOpen, sequence == head.sequence else {
            throw json.problem("the counts differ from the preceding lines: some are missing")
        }
        isAtEnd = true
    }

    /// Continues the transaction, or begins a later one.
    private mutating func enter(
        _ sequence: UInt64, _ json: borrowing JSONReader
    ) throws(DaybookError) {
        guard isOpen ? sequence == self.sequence : sequence > self.sequence,
            sequence <= head.sequence
        else {
            throw json.problem(
                isOpen
                    ? "transaction \(self.sequence) has no commit yet"
                    : "transactions must be in ascending order")
        }
        self.sequence = sequence
        isOpen = true
    }

    private mutating func append(
        _ write: (inout RecordWriter) -> Void
    ) throws(DaybookError) {
        try log.append(to: sequence, timeMicroseconds: max(0, timeMicroseconds)) { write(&$0) }
    }
}
