import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Collects everything that a put writes: the objects that the caller puts, the new objects in
/// their relations, recursively, and the links between them.
///
/// It uses a work list instead of recursion, so chains may have any length. Objects of a class are
/// compared by identity: cycles end, and an object that occurs twice is stored once.
struct GraphBuilder: ~Copyable {
    private(set) var graph = EncodedGraph()
    /// The types of the store, without an owner.
    let types: StoreTypes
    private var objects: [any Entity] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var receipts = GraphReceipts()
    /// The object whose relations are being recorded; nil for an object that is not part of the
    /// put.
    private var noted: Int?

    init(_ types: StoreTypes) { self.types = types }

    /// Adds an object to put, and returns its place. Its row is encoded later.
    mutating func add<E: Entity>(
        _ object: E, as type: E.Type = E.self, isRoot: Bool = false
    ) throws -> Int {
        let binding = try types.binding(of: type)
        if let key = ObjectIdentifier(instance: object) {
            if let known = places[key] { return known }
            places[key] = objects.count
            receipts.objects.append((objects.count, object))
        }
        graph.nodes.append(
            EncodedGraph.Node(
                binding: binding, id: object.entityId, bytes: 0..<0, isRoot: isRoot))
        objects.append(object)
        return objects.count - 1
    }

    /// Encodes the rows of all objects, and of the new objects in their relations.
    ///
    /// - Parameter previous: the rows that the first objects replace, if they were already read.
    mutating func encode(replacing previous: [StoredRow?] = []) throws {
        var index = 0
        while index < objects.count {
            let binding = graph.nodes[index].binding
            let owned = types.owned(by: binding)
            // Reuse one writer for consecutive objects of the same type.
            var writer = RowWriter(binding.layout, owned)
            while index < objects.count, graph.nodes[index].binding === binding {
                let row = index < previous.count ? previous[index] : nil
                let object = objects[index]
                try Self.write(object, binding, replacing: row, to: &writer)
                let start = graph.bytes.count
                graph.bytes.append(writer.encoder.row)
                graph.nodes[index].bytes = start..<graph.bytes.count
                try note(writer.relations, of: index, owner(of: index, writer.encoder.row), owned)
                index += 1
            }
        }
    }

    /// Returns the id of an object. If it has no id, the id of the stored object with its primary
    /// key.
    private func owner(of node: Int, _ row: Span<UInt8>) throws -> Id {
        let (binding, id) = (graph.nodes[node].binding, graph.nodes[node].id)
        return id == 0 && binding.primaryKey != nil ? try binding.id(ofKeyIn: row) : id
    }

    private mutating func note(
        _ relations: [WrittenRelation], of node: Int, _ id: Id, _ types: StoreTypes
    ) throws {
        let binding = graph.nodes[node].binding
        noted = node
        defer { noted = nil }
        for written in relations {
            let host = GraphHost(
                end: .node(node), relation: try binding.relation(at: written.place),
                place: written.place, isNew: id == 0 && binding.onConflict.isEmpty, id: id,
                types: types)
            try written.relation.note(in: &self, of: host)
        }
    }

    private static func write<E: Entity>(
        _ object: E, _ binding: EntityBinding, replacing row: StoredRow?,
        to writer: inout RowWriter
    ) throws {
        guard let row else { return try binding.write(object, to: &writer) }
        try binding.write(object, replacing: PreviousRow(binding, read: row), to: &writer)
    }

    /// Records a change of links. Returns the index of the edit.
    @discardableResult
    mutating func note(_ change: EncodedGraph.Change, of host: GraphHost) -> Int {
        graph.edits.append(
            EncodedGraph.Edit(host: host.end, relation: host.relation, change: change))
        return graph.edits.count - 1
    }

    /// Registers a closure to run after the put succeeded, before other threads see it. It does not
    /// run if the put ignored the host. It returns a closure that reverts it if the commit fails
    /// later.
    mutating func whenPut(_ receipt: @escaping (GraphOutcome) -> (() -> Void)?) {
        receipts.relations.append((noted, receipt))
    }

    consuming func finish() -> (EncodedGraph, GraphReceipts) { (graph, receipts) }
}

extension EntityBinding {
    /// Throws `.schemaMismatch` if the description has no relation at the place.
    func relation(at place: RelationPlace) throws(DaybookError) -> BoundRelation {
        if let found = relations[place] { return found }
        throw DaybookError(
            .schemaMismatch,
            "The description of '\(name)' has no relation at \(place). Write relations in its"
                + " order.",
            details: ["entity": name])
    }

    /// Whether the put of a new object may be ignored.
    var mayIgnorePuts: Bool { onConflict.values.contains { $0 == .ignore } }
}
