import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Events encoded as rows, with the new objects to which they link, to append on another thread.
struct EncodedEvents: Sendable {
    private let binding: EntityBinding
    private let rows: [Range<Int>]
    private let bytes: [UInt8]
    /// The objects to put before the events, and the links of the events.
    private let graph: EncodedGraph

    /// Encodes events. The receipts update the objects and relations after the transaction.
    static func encode<E: Event>(
        _ events: some Collection<E>, _ types: StoreTypes
    ) throws -> (EncodedEvents, GraphReceipts) {
        let binding = try types.binding(of: E.self)
        var rows: [Range<Int>] = []
        var bytes: [UInt8] = []
        var puts = GraphBuilder(types)
        var writer = RowWriter(binding.layout, types.owned(by: binding))
        for event in events {
            writer.begin(replacing: nil)
            try event.encode(into: &writer)
            writer.encoder.finish()
            try puts.note(writer.relations, ofEvent: rows.count, binding)
            let start = bytes.count
            bytes += writer.encoder.row.array
            rows.append(start..<bytes.count)
        }
        if !binding.relations.isEmpty { try puts.encode() }
        let (graph, receipts) = puts.finish()
        return (EncodedEvents(binding, rows, bytes, graph), receipts)
    }

    private init(
        _ binding: EntityBinding, _ rows: [Range<Int>], _ bytes: [UInt8], _ graph: EncodedGraph
    ) {
        (self.binding, self.rows, self.bytes, self.graph) = (binding, rows, bytes, graph)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// Puts the new objects, and appends the events with their ids.
    func append(to transaction: WriteTransaction) throws(DaybookError) -> GraphOutcome {
        let outcome = try graph.put(in: transaction, PutOptions())
        let targets = graph.targets(ofEvents: rows.count, outcome)
        for (row, targets) in zip(rows, targets) {
            let row = bytes.span.extracting(row)
            if targets.isEmpty {
                try append(row, to: transaction)
            } else {
                let linked = try linked(row, to: targets)
                try append(linked.span, to: transaction)
            }
        }
        return outcome
    }

    private func append(
        _ row: Span<UInt8>, to transaction: WriteTransaction
    ) throws(DaybookError) {
        _ = try transaction.changes.append(binding.entity, layout: binding.layoutID, row: row)
    }

    /// Returns a row with ids in the fields of its relations.
    private func linked(
        _ row: Span<UInt8>, to targets: [Int: [Id]]
    ) throws(DaybookError) -> [UInt8] {
        let layout = binding.layout
        let view = try RowView(row, layout)
        var encoder = RowEncoder(layout)
        for index in layout.slots.indices {
            if let ids = targets[index], let first = ids.first {
                if layout.slots[index].type == .uint64 {
                    encoder.set(uint64: first, at: index)
                } else {
                    let list = Self.list(ids)
                    try encoder.set(bytes: list.span, at: index)
                }
            } else if view.isNull(index) {
                try encoder.setNull(index)
            } else {
                try encoder.set(value: try view.value(index), at: index)
            }
        }
        encoder.finish()
        return encoder.row.array
    }

    /// Returns the bytes of a list of ids.
    private static func list(_ ids: [Id]) -> [UInt8] {
        var list = ValueListWriter(of: .uint64, isOptional: false, count: ids.count)
        for id in ids {
            var element = ByteWriter()
            element.uint64(id)
            list.append(element.span, isNull: false)
        }
        return list.span.array
    }
}

extension GraphBuilder {
    /// Adds the new objects to which an event links.
    fileprivate mutating func note(
        _ relations: [WrittenRelation], ofEvent place: Int, _ binding: EntityBinding
    ) throws {
        for written in relations {
            let host = GraphHost(
                end: .event(place), relation: try binding.relation(at: written.place),
                place: written.place, isNew: true, id: 0, types: types)
            try written.relation.note(in: &self, of: host)
        }
    }
}

extension EncodedGraph {
    /// Returns the ids to which each event links, by the indexes of the properties.
    fileprivate func targets(ofEvents count: Int, _ outcome: GraphOutcome) -> [[Int: [Id]]] {
        var targets = [[Int: [Id]]](repeating: [:], count: count)
        for edit in edits {
            guard case .event(let place) = edit.host else { continue }
            targets[place][edit.relation.field] = edit.change.ends.map { outcome.id(of: $0) }
        }
        return targets
    }
}

extension Store {
    /// Appends encoded events as one operation, and updates the objects and relations.
    func append(_ events: EncodedEvents, _ receipts: GraphReceipts) throws {
        try engine.putGraph { transaction in
            (try events.append(to: transaction), receipts)
        }
    }
}
