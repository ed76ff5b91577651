import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Converts the lines after the layouts of a dump into records, one line at a time.
///
/// Objects become transactions of a few thousand records while enough sequences below the sequence
/// of the dump are left, and then transactions that fill a segment. The last transaction has the
/// sequence of the dump, so the next commit of the store has the next sequence.
struct StateLineLoader: DumpLineLoader {
    /// The number of records after which a transaction ends while enough sequences are left.
    private static let transactionRecordCountMax = 4_096
    /// The number of sequences up to which transactions are as large as possible: a state may need
    /// all of them.
    private static let spareSequenceCountMin: UInt64 = 16

    private let head: DumpHead
    private let schemas: SchemaTable
    private let kinds: [UInt32: EntityKind]
    private let entities: [String: UInt32]
    private let relations: [UInt32: [String: Schema.Relation]]
    private var pendingLayouts: [EntityLayout]
    private var nextIds: [UInt32: UInt64] = [:]
    private var lastEventIds: [UInt32: UInt64] = [:]
    private var transaction = CommitRecord(sequence: 0, timeMicroseconds: .min)
    private var isAtObjects = false
    /// The entity and the object of the current line.
    private var entity: UInt32 = 0
    private var source = LoadedSource()
    private var log: SealedSegmentWriter
    private(set) var counts = DumpCounts()
    private(set) var isAtEnd = false

    init(_ head: DumpHead, _ schemas: SchemaTable, _ log: SealedSegmentWriter) {
        self.head = head
        self.schemas = schemas
        self.log = log
        let schema = schemas.schema
        pendingLayouts = schema.layouts
        var kinds: [UInt32: EntityKind] = [:]
        var entities: [String: UInt32] = [:]
        var relations: [UInt32: [String: Schema.Relation]] = [:]
        for entity in schema.entities {
            kinds[entity.id] = schema.currentLayout(ofEntity: entity.id)?.kind
            entities[entity.name] = entity.id
            for named in schema.namedRelations(from: entity.id) {
                relations[entity.id, default: [:]][named.name] = named.relation
            }
        }
        (self.kinds, self.entities, self.relations) = (kinds, entities, relations)
        counts.sequence = head.sequence
        counts.layouts = schema.layouts.count
    }

    mutating func read(_ line: Span<UInt8>) throws(DaybookError) {
        var json = JSONReader(line)
        guard !isAtEnd else { throw json.problem("a line follows the last line") }
        try json.beginObject()
        if try json.hasMember("id") {
            try readObject(&json)
        } else if try json.hasMember("more") {
            try readMore(&json)
        } else if try json.hasMember("event") {
            try readEvent(&json)
        } else if try json.hasMember("nextId") {
            try readNextId(&json)
        } else if try json.hasMember("end") {
            try readEnd(&json)
        } else if try json.hasMember("layout") {
            throw json.problem("a layout follows other lines")
        } else {
            throw json.problem(
                "a line must begin with \"id\", \"more\", \"event\", \"nextId\" or \"end\"")
        }
        try json.endObject()
        try json.end()
    }

    mutating func finish() throws(DaybookError) -> SealedSegmentWriter {
        try log.finish()
        return log
    }

    // MARK: Lines

    private mutating func readEvent(_ json: inout JSONReader) throws(DaybookError) {
        guard !isAtObjects, entity == 0 else {
            throw json.problem("an event follows the line of an entity")
        }
        let id = try json.loadedId()
        let entity = try json.loadedEntity(.event, schemas)
        guard id > lastEventIds[entity] ?? 0 else {
            throw json.problem("the events of an entity must be in the order of their numbers")
        }
        lastEventIds[entity] = id
        try json.member("sequence")
        let sequence: UInt64 = try json.integer()
        try json.member("time")
        let time: Int64 = try json.integer()
        let commit = CommitRecord(
            sequence: sequence, timeMicroseconds: time, metadata: try json.pairs("metadata"))
        try enter(commit, json)
        let (layout, row) = try json.loadedRow(of: entity, schemas)
        try append { $0.event(entity: entity, id: id, layout: layout, row: row.span) }
        counts.events += 1
    }

    private mutating func readNextId(_ json: inout JSONReader) throws(DaybookError) {
        let nextId: UInt64 = try json.integer()
        try json.member("of")
        let name = try json.string()
        guard let found = entities[name], kinds[found] != .embedded else {
            throw json.problem("no layout defines an entity '\(name)' with ids")
        }
        guard found > entity else {
            throw json.problem("the entities must be in the order of their numbers")
        }
        guard nextId > lastEventIds[found] ?? 0 else {
            throw json.problem("the next id must be greater than the numbers of the events")
        }
        entity = found
        source = LoadedSource()
        nextIds[found] = nextId
    }

    private mutating func readObject(_ json: inout JSONReader) throws(DaybookError) {
        let id = try json.loadedId()
        guard try json.loadedEntity(.object, schemas) == entity else {
            throw json.problem("the line with the next id of the entity must come first")
        }
        guard id > source.id, id < nextIds[entity] ?? 0 else {
            throw json.problem(
                "the ids of an entity must be ascending and less than its next id")
        }
        source = LoadedSource()
        source.id = id
        let (entity, (layout, row)) = (entity, try json.loadedRow(of: entity, schemas))
        try enterObjects(json)
        try append {
            $0.put(entity: entity, id: id, previous: 0, layout: layout, row: row.span)
        }
        counts.objects += 1
        if try json.hasMember("links") { try readLinks(&json) }
    }

    private mutating func readMore(_ json: inout JSONReader) throws(DaybookError) {
        let id = try json.loadedId()
        guard try json.loadedEntity(.object, schemas) == entity, id == source.id else {
            throw json.problem("more links must follow the line of their object")
        }
        try json.member("links")
        try readLinks(&json)
    }

    private mutating func readEnd(_ json: inout JSONReader) throws(DaybookError) {
        var said = DumpCounts()
        said.sequence = try json.integer()
        try json.member("layouts")
        said.layouts = try json.integer()
        try json.member("events")
        said.events = try json.integer()
        try json.member("objects")
        said.objects = try json.integer()
        try json.member("links")
        said.links = try json.integer()
        guard said == counts else {
            throw json.problem("the counts differ from the preceding lines: some are missing")
        }
        isAtEnd = true
        if head.sequence == 0, pendingLayouts.isEmpty { return }
        try enterObjects(json)
        if transaction.sequence < head.sequence {
            try endTransaction()
            begin(head.sequence)
        }
        let compacted = CompactedRecord(
            policy: .latest, historyFloor: head.sequence, nextIds: nextIds.filter { $0.value > 1 })
        try append { $0.compacted(compacted) }
        try endTransaction()
    }

    // MARK: Parts of lines

    private mutating func readLinks(_ json: inout JSONReader) throws(DaybookError) {
        try json.beginObject()
        while let name = try json.nextName() {
            guard let relation = relations[entity]?[name] else {
                throw json.problem("the entity has no relation '\(name)'")
            }
            if relation.type == .keyedObjects {
                try readKeyedLinks(of: relation, &json)
                continue
            }
            try json.beginArray()
            while try json.nextElement() {
                let target = try json.loadedId()
                try link(relation, target, json)
                counts.links += 1
            }
        }
        try json.endObject()
    }

    private mutating func readKeyedLinks(
        of relation: Schema.Relation, _ json: inout JSONReader
    ) throws(DaybookError) {
        try json.beginObject()
        while let key = try json.nextName() {
            let target = try json.loadedId()
            guard let position = LinkKey.position(of: key) else {
                throw json.problem("a key is longer than \(LinkKey.lengthBytesMax) bytes")
            }
            guard source.isAscending(position, in: relation.relationID) else {
                throw json.problem("the keys of a map must be in the order of their bytes")
            }
            try insert(target, at: position, relation)
            counts.links += 1
        }
        try json.endObject()
    }

    private mutating func insert(
        _ target: UInt64, at position: [UInt8], _ relation: Schema.Relation
    ) throws(DaybookError) {
        let (number, id) = (relation.relationID, source.id)
        try append {
            $0.listInsert(relation: number, source: id, target: target, position: position.span)
        }
    }

    private mutating func link(
        _ relation: Schema.Relation, _ target: UInt64, _ json: borrowing JSONReader
    ) throws(DaybookError) {
        let (number, id) = (relation.relationID, source.id)
        guard relation.type != .objects else {
            return try insert(target, at: source.nextPosition(in: number), relation)
        }
        let last = source.lastTargets.updateValue(target, forKey: number)
        if let last, relation.type == .toOne || last >= target {
            throw json.problem(
                relation.type == .toOne
                    ? "'\(relation.name)' can have only one target"
                    : "the target ids of a relation must be ascending")
        }
        try append { $0.link(relation: number, source: id, target: target) }
    }

    // MARK: Transactions

    private mutating func append(
        _ write: (inout RecordWriter) -> Void
    ) throws(DaybookError) {
        let (sequence, time) = (transaction.sequence, transaction.timeMicroseconds)
        for layout in pendingLayouts {
            try log.append(to: sequence, timeMicroseconds: time) { $0.schema(layout) }
        }
        pendingLayouts = []
        try log.append(to: sequence, timeMicroseconds: time) { write(&$0) }
    }

    /// Continues the transaction of an event, or begins it.
    private mutating func enter(
        _ commit: CommitRecord, _ json: borrowing JSONReader
    ) throws(DaybookError) {
        if commit == transaction { return }
        guard commit.sequence > transaction.sequence, commit.sequence <= head.sequence,
            commit.timeMicroseconds >= transaction.timeMicroseconds,
            commit.timeMicroseconds <= head.timeMicroseconds
        else {
            throw json.problem("the sequence or time of an event contradicts the adjacent events")
        }
        try endTransaction()
        transaction = commit
    }

    /// Continues the transaction of objects, or begins the next one if it is full.
    private mutating func enterObjects(_ json: borrowing JSONReader) throws(DaybookError) {
        guard head.sequence > 0 else {
            throw json.problem("the first line states that the store has no transaction")
        }
        let left = head.sequence - transaction.sequence
        let isFull =
            left > max(Self.spareSequenceCountMin, head.sequence / 2)
            ? log.transactionRecordCount >= Self.transactionRecordCountMax
            : log.isTransactionFull
        if !isAtObjects || isFull, transaction.sequence < head.sequence {
            try endTransaction()
            begin(transaction.sequence + 1)
        }
        isAtObjects = true
    }

    private mutating func begin(_ sequence: UInt64) {
        transaction = CommitRecord(
            sequence: sequence, timeMicroseconds: head.timeMicroseconds)
    }

    private mutating func endTransaction() throws(DaybookError) {
        guard log.transactionRecordCount > 0 else { return }
        try log.commit(transaction)
    }
}

/// The object of the current line, with the last target of each relation.
private struct LoadedSource {
    var id: UInt64 = 0
    var lastTargets: [UInt32: UInt64] = [:]
    private var lastPositions: [UInt32: [UInt8]] = [:]

    /// A position after the last element of a list.
    mutating func nextPosition(in relation: UInt32) -> [UInt8] {
        let position = ListPosition.between(lastPositions[relation], nil, count: 1)[0]
        lastPositions[relation] = position
        return position
    }

    /// Whether a position follows the last one of the relation. Notes it.
    mutating func isAscending(_ position: [UInt8], in relation: UInt32) -> Bool {
        let last = lastPositions.updateValue(position, forKey: relation)
        return last?.lexicographicallyPrecedes(position) ?? true
    }
}
