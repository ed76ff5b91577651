import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Gathers what a put writes: the objects that are put, the new ones that their relations lead to,
/// and so on, and the links between them.
///
/// It goes from object to object by a list of what is left to do, so chains of any length fit.
/// Objects of a class are known by their identity: circles end, and one that stands twice is stored
/// once.
struct GraphBuilder: ~Copyable {
    private(set) var graph = EncodedGraph()
    /// The types of the store, not yet those of an entity.
    let types: StoreTypes
    private var objects: [any Entity] = []
    private var places: [ObjectIdentifier: Int] = [:]
    private var receipts = GraphReceipts()
    /// Whose relations are noted; nil for an object that is not put along.
    private var noted: Int?

    init(_ types: StoreTypes) { self.types = types }

    /// The place of an object that is to be put. Its row is written later.
    mutating func add<E: Entity>(
        _ object: E, as type: E.Type = E.self, isRoot: Bool = false
    ) throws -> Int {
        let binding = try types.binding(of: type)
        if E.self is AnyClass {
            let key = ObjectIdentifier(object as AnyObject)
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

    /// Writes the rows of all objects, and of those that their relations lead to.
    ///
    /// - Parameter previous: the rows that the first objects replace, where they were read already.
    mutating func encode(replacing previous: [StoredRow?] = []) throws {
        var index = 0
        while index < objects.count {
            let binding = graph.nodes[index].binding
            let owned = types.owned(by: binding)
            // One writer for as many of a type as follow each other.
            var writer = RowWriter(binding.layout, owned)
            while index < objects.count, graph.nodes[index].binding === binding {
                let row = index < previous.count ? previous[index] : nil
                let object = objects[index]
                try Self.write(object, binding, replacing: row, to: &writer)
                let start = graph.bytes.count
                graph.bytes += writer.encoder.row.array
                graph.nodes[index].bytes = start..<graph.bytes.count
                try note(writer.relations, of: index, owner(of: index, writer.encoder.row), owned)
                index += 1
            }
        }
    }

    /// The id of an object; where it keeps none, of the one that has its primary key.
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

    /// Notes what is to become of links. Returns the place of the edit.
    @discardableResult
    mutating func note(_ change: EncodedGraph.Change, of host: GraphHost) -> Int {
        graph.edits.append(
            EncodedGraph.Edit(host: host.end, relation: host.relation, change: change))
        return graph.edits.count - 1
    }

    /// Notes what is done when the put has succeeded, before others see it, and not where it left
    /// the host out; it returns how to take it back, should the commit fail after all.
    mutating func whenPut(_ receipt: @escaping (GraphOutcome) -> (() -> Void)?) {
        receipts.relations.append((noted, receipt))
    }

    consuming func finish() -> (EncodedGraph, GraphReceipts) { (graph, receipts) }
}

/// What becomes of objects and relations when they are put. It stays where the objects are.
struct GraphReceipts {
    /// Objects of classes, by their places in the graph.
    var objects: [(place: Int, object: any Entity)] = []
    /// Settles a relation, and returns how to take that back; with the place of its host.
    var relations: [(host: Int?, settle: (GraphOutcome) -> (() -> Void)?)] = []

    /// Settles what was committed.
    func settle(_ outcome: GraphOutcome) {
        setIds(outcome)
        for settle in due(outcome) { _ = settle(outcome) }
    }

    /// Settles what will be committed with a transaction. Returns the ids that objects had, for the
    /// case that the put itself fails. Where a transaction around it fails, they keep the new ones,
    /// so that they may be put again; what their relations wrote is to be written again then.
    func settle(
        _ outcome: GraphOutcome, in transaction: WriteTransaction
    ) -> [(object: any Entity, before: Id)] {
        let before = setIds(outcome)
        for settle in due(outcome) {
            if let undo = settle(outcome) { transaction.whenAbandoned(undo) }
        }
        return before
    }

    /// What is to be done, but for the objects that were left out.
    private func due(_ outcome: GraphOutcome) -> some Sequence<(GraphOutcome) -> (() -> Void)?> {
        relations.lazy.filter { $0.host.map { !outcome.ignored.contains($0) } ?? true }
            .map(\.settle)
    }

    /// Gives the objects their ids. Returns those that had another, with that.
    @discardableResult
    private func setIds(_ outcome: GraphOutcome) -> [(object: any Entity, before: Id)] {
        var changed: [(object: any Entity, before: Id)] = []
        for (place, object) in objects {
            let before = object.entityId
            guard before != outcome.ids[place] else { continue }
            Self.setId(of: object, to: outcome.ids[place])
            changed.append((object, before))
        }
        return changed
    }

    static func setId(of object: any Entity, to id: Id) {
        var object = object
        object.entityId = id
    }
}

extension Engine {
    /// Puts a graph as one operation. `build` runs inside it.
    func put(
        _ request: PutRequest, _ types: StoreTypes,
        _ build: (inout GraphBuilder) throws -> Void
    ) throws -> GraphOutcome {
        var changed: [(object: any Entity, before: Id)] = []
        do {
            var outcome = GraphOutcome()
            try operate { transaction in
                var builder = GraphBuilder(types)
                try build(&builder)
                let (graph, receipts) = builder.finish()
                outcome = try graph.put(in: transaction, request)
                changed = receipts.settle(outcome, in: transaction)
            }
            return outcome
        } catch {
            for (object, id) in changed { GraphReceipts.setId(of: object, to: id) }
            throw error
        }
    }
}

extension EntityBinding {
    /// Throws `.schemaMismatch` for a place at which the description has no relation.
    func relation(at place: RelationPlace) throws(DaybookError) -> BoundRelation {
        if let found = relations[place] { return found }
        throw DaybookError(
            .schemaMismatch,
            "The description of '\(name)' has no relation at \(place). Write relations in its"
                + " order.",
            details: ["entity": name])
    }

    /// Whether the put of a new object may do nothing.
    var mayIgnorePuts: Bool { onConflict.values.contains { $0 == .ignore } }
}
