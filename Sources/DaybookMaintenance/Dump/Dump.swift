package import DaybookBytes
package import DaybookEngine
package import DaybookRecords

/// Receives the lines of a dump. The dump calls it once per line, with a closure that writes the
/// line.
package typealias DumpSink =
    ((inout JSONText) throws(DaybookError) -> Void) throws(DaybookError) -> Void

/// The counts of a dump, or of the lines that a load has read.
package struct DumpCounts: Sendable, Equatable {
    /// The last transaction of the dumped state or history.
    package var sequence: UInt64 = 0
    package var layouts = 0
    package var events = 0
    package var objects = 0
    package var links = 0
    /// Counted in a history only, like ``records``.
    package var transactions = 0
    package var records = 0
}

/// The format of a dump: a state as text, from which a load builds a store with the same state.
///
/// The lines are: a head; the layouts; the events with their transactions, in the order of the log;
/// for each entity a line with its next id, and a line for each object in the order of ids, with
/// the targets of its relations; an end with the counts. The order of members is fixed, so equal
/// states have equal dumps.
enum DumpFormat {
    /// The format version in the head. It rises with each change that older releases cannot read.
    static let version = 1
    /// The longest line that a load reads. It bounds the memory of a load.
    static let lineLengthBytesMax = 256 << 20
    /// The most links of one relation in a line. Further links of the object follow in lines of
    /// their own.
    static let linksPerLineMax = 1_000

    /// Throws `.invalidValue` for a line that is too long for a load.
    static func checkLength(_ length: Int, _ what: String) throws(DaybookError) {
        guard length > lineLengthBytesMax else { return }
        throw DaybookError(
            .invalidValue,
            "The line of \(what) is \(length) bytes long, but a load reads at most"
                + " \(lineLengthBytesMax). Copy the store with 'daybook replay --into'.",
            details: ["length": String(length)])
    }
}

extension Engine {
    /// Writes the state at a point, or the newest state, line by line.
    /// ``load(into:_:options:from:_:)`` builds a store with the same state from the lines, and the
    /// dump of that store is the same text.
    ///
    /// A state has no history: superseded versions, times and metadata are missing, except for
    /// events. Cost: a read of each object and link; a read of the log if the store has events; for
    /// a point, a replay of the log up to it in memory. Throws `.historyTruncated` below the
    /// history floor, `.corruption`, `.interrupted`, `.invalidValue` for an object whose line is
    /// longer than a load reads, and the errors of `line`.
    package func dump(
        until point: HistoryPoint? = nil, _ control: OperationControl = OperationControl(),
        to line: DumpSink
    ) throws(DaybookError) -> DumpCounts {
        try requireOpen()
        var view: ReadView
        var schema: Schema
        if let point {
            let last = try last(atOrBefore: point, control.stage(0, 0))
            let state = try replayedState(until: last, control.stage(0, 0.5))
            (view, schema) = (state.view, state.schema)
        } else {
            schema = schemas.schema
            view = try self.view(until: nil)
            // A follower: the schema must not note more converted objects than the view contains.
            while schema != schemas.schema {
                schema = schemas.schema
                view = try self.view(until: nil)
            }
        }
        var dump = Dump(engine: self, view: view, schema: schema)
        return try dump.write(control.stage(point == nil ? 0 : 0.5, 1), to: line)
    }
}

/// Writes one state as lines.
private struct Dump {
    let engine: Engine
    let view: ReadView
    let schema: Schema
    var counts = DumpCounts()

    mutating func write(
        _ control: OperationControl, to line: DumpSink
    ) throws(DaybookError) -> DumpCounts {
        counts.sequence = try view.sequence
        try writeHead(to: line)
        for layout in schema.layouts {
            try line { text in
                text.beginObject()
                text.members(of: layout)
                text.endObject()
            }
            counts.layouts += 1
        }
        if schema.entities.contains(where: { kind(of: $0) == .event }) {
            try writeEvents(control.stage(0, 0.3), to: line)
        }
        let entities = schema.entities.filter { kind(of: $0) != .embedded }
        let control = control.stage(0.3, 1)
        for (index, entity) in entities.enumerated() {
            try write(
                entity,
                control.stage(
                    Double(index) / Double(entities.count),
                    Double(index + 1) / Double(entities.count)),
                to: line)
        }
        let counts = counts
        try line { text in
            text.beginObject()
            text.member("end", counts.sequence)
            text.member("layouts", counts.layouts)
            text.member("events", counts.events)
            text.member("objects", counts.objects)
            text.member("links", counts.links)
            text.endObject()
        }
        return counts
    }

    private func kind(of entity: Schema.Entity) -> EntityKind? {
        schema.currentLayout(ofEntity: entity.id)?.kind
    }

    private func writeHead(to line: DumpSink) throws(DaybookError) {
        let sequence = counts.sequence
        let time = try engine.commitTime(of: sequence)
        try line { text in
            text.beginObject()
            text.member("dump", DumpFormat.version)
            text.member("sequence", sequence)
            text.member("time", time)
            text.endObject()
        }
    }

    private mutating func writeEvents(
        _ control: OperationControl, to line: DumpSink
    ) throws(DaybookError) {
        let (schema, engine) = (schema, engine)
        let range = HistoryRange(until: .sequence(counts.sequence))
        var count = 0
        try engine.forEachTransaction(in: range, matching: EventFilter(kinds: [.event]), control) {
            transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                let event = transaction[index]
                count += 1
                try line { text throws(DaybookError) in
                    let start = text.utf8.count
                    text.beginObject()
                    text.member("event", event.id)
                    text.name("of")
                    text.string(schema.entity(event.entity)?.name ?? "")
                    text.member("sequence", transaction.sequence)
                    text.member("time", transaction.timeMicroseconds)
                    text.member("metadata", transaction.metadata)
                    text.member("layout", event.layout)
                    text.name("row")
                    let held = event.held
                    try text.exactRow(
                        held.payload.span.extracting(held.record.row),
                        try engine.schemas.rowLayout(event.layout),
                        layouts: engine.schemas.rowLayout)
                    text.endObject()
                    try DumpFormat.checkLength(text.utf8.count - start, "event \(event.id)")
                }
            }
            return true
        }
        counts.events += count
    }

    private mutating func write(
        _ entity: Schema.Entity, _ control: OperationControl, to line: DumpSink
    ) throws(DaybookError) {
        let nextId = try view.reading { reader throws(DaybookError) in
            try reader.get(IndexTree.entities, UInt64(entity.id))?.first ?? 1
        }
        try line { text in
            text.beginObject()
            text.member("nextId", nextId)
            text.name("of")
            text.string(entity.name)
            text.endObject()
        }
        guard kind(of: entity) == .object else { return }
        let relations = schema.namedRelations(from: entity.id)
        let count = max(1, try view.count(entity.id))
        var scan = view.scan(entity.id)
        var done = 0
        while let row = try scan.next() {
            try control.check()
            if done % 1024 == 0 { control.progress(Double(done) / Double(count)) }
            done += 1
            try write(row, of: entity, relations, to: line)
        }
        counts.objects += done
    }

    private mutating func write(
        _ row: StoredRow, of entity: Schema.Entity, _ relations: [NamedRelation], to line: DumpSink
    ) throws(DaybookError) {
        var links: [(name: String, targets: LinkTargets)] = []
        for relation in relations {
            let targets = try ReadScope.read(view).targets(of: relation.relation, from: row.id)
            if !targets.ids.isEmpty { links.append((relation.name, targets)) }
        }
        let engine = engine
        try line { text throws(DaybookError) in
            let start = text.utf8.count
            text.beginObject()
            text.member("id", row.id)
            text.name("of")
            text.string(entity.name)
            text.member("layout", row.layout)
            text.name("row")
            try text.exactRow(
                row.bytes, try engine.schemas.rowLayout(row.layout),
                layouts: engine.schemas.rowLayout)
            if !links.isEmpty { text.name("links") }
            if !links.isEmpty { text.beginObject() }
            for (name, targets) in links {
                text.name(name)
                text.targets(targets, 0..<DumpFormat.linksPerLineMax)
            }
            if !links.isEmpty { text.endObject() }
            text.endObject()
            try DumpFormat.checkLength(
                text.utf8.count - start, "object \(row.id) of \(entity.name)")
        }
        for (name, targets) in links {
            counts.links += targets.ids.count
            try writeRest(of: targets, name, from: row.id, of: entity, to: line)
        }
    }

    private func writeRest(
        of targets: LinkTargets, _ name: String, from id: UInt64, of entity: Schema.Entity,
        to line: DumpSink
    ) throws(DaybookError) {
        let step = DumpFormat.linksPerLineMax
        for start in stride(from: step, to: targets.ids.count, by: step) {
            try line { text in
                text.beginObject()
                text.member("more", id)
                text.name("of")
                text.string(entity.name)
                text.name("links")
                text.beginObject()
                text.name(name)
                text.targets(targets, start..<start + step)
                text.endObject()
                text.endObject()
            }
        }
    }
}

extension JSONText {
    mutating func member(_ name: String, _ value: some BinaryInteger) {
        self.name(name)
        integer(value)
    }

    /// Writes a part of the targets: an array, or for a map an object with the keys.
    package mutating func targets(_ targets: LinkTargets, _ range: Range<Int>) {
        let range = range.clamped(to: targets.ids.indices)
        guard let keys = targets.keys else {
            beginArray()
            for id in targets.ids[range] { integer(id) }
            endArray()
            return
        }
        beginObject()
        for (key, id) in zip(keys[range], targets.ids[range]) { member(key, id) }
        endObject()
    }
}

extension Engine {
    /// The commit time of the last transaction up to a sequence, in microseconds since 1970; 0 if
    /// there is no transaction.
    fileprivate func commitTime(of sequence: UInt64) throws(DaybookError) -> Int64 {
        // If a compaction removed the whole transaction, the transaction before it counts.
        guard sequence > 0 else { return 0 }
        let time = try commitTime(of: sequence, scanningFrom: sequence)
        if let time { return time }
        return try commitTime(of: sequence, scanningFrom: 1) ?? 0
    }

    private func commitTime(
        of sequence: UInt64, scanningFrom start: UInt64
    ) throws(DaybookError) -> Int64? {
        var time: Int64?
        var transactions = LogTransactions(
            LogFrames(try log.scan(fromSequence: start), until: sequence), NoContents())
        while let transaction = try transactions.next() {
            time = transaction.commit.timeMicroseconds
        }
        return time
    }
}
