import DaybookBytes
import DaybookEngine
import DaybookIndex

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
    /// What is done when the put has succeeded; returns how to take it back.
    private var receipts: [(GraphOutcome) -> () -> Void] = []

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
            let place = objects.count
            receipts.append { outcome in
                let before = object.entityId
                let id = outcome.ids[place]
                guard id != before else { return {} }
                Box<E>.setId(of: object, to: id)
                return { Box<E>.setId(of: object, to: before) }
            }
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
            var writer = RowWriter(binding.layout, owned)
            let row = index < previous.count ? previous[index] : nil
            let object = objects[index]
            try Self.write(object, binding, replacing: row, to: &writer)
            let start = graph.bytes.count
            graph.bytes += writer.encoder.row.array
            graph.nodes[index].bytes = start..<graph.bytes.count
            for written in writer.relations {
                let relation = try binding.relation(at: written.place)
                let id = graph.nodes[index].id
                let host = GraphHost(
                    end: .node(index), relation: relation, place: written.place,
                    isNew: id == 0 && !binding.mayReplace, id: id, types: owned)
                try written.relation.note(in: &self, of: host)
            }
            index += 1
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

    /// Notes what is done when the put has succeeded, before others see it; it returns how to take
    /// it back, should the commit fail after all.
    mutating func whenPut(_ receipt: @escaping (GraphOutcome) -> () -> Void) {
        receipts.append(receipt)
    }

    consuming func finish() -> (EncodedGraph, GraphReceipts) {
        (graph, GraphReceipts(receipts))
    }
}

/// What becomes of objects and relations when they are put. It stays where the objects are.
struct GraphReceipts {
    private let receipts: [(GraphOutcome) -> () -> Void]
    private var undos: [() -> Void] = []

    init(_ receipts: [(GraphOutcome) -> () -> Void]) { self.receipts = receipts }

    mutating func settle(_ outcome: GraphOutcome) { undos = receipts.map { $0(outcome) } }

    /// From the last to the first, for one may build on another.
    mutating func takeBack() {
        for undo in undos.reversed() { undo() }
        undos = []
    }
}

extension Engine {
    /// Puts a graph as one operation. `build` runs inside it.
    func put(
        _ request: PutRequest, _ types: StoreTypes,
        _ build: (inout GraphBuilder) throws -> Void
    ) throws -> GraphOutcome {
        var receipts = GraphReceipts([])
        do {
            var outcome = GraphOutcome()
            try operate { transaction in
                var builder = GraphBuilder(types)
                try build(&builder)
                let (graph, made) = builder.finish()
                outcome = try graph.put(in: transaction, request)
                receipts = made
                receipts.settle(outcome)
            }
            return outcome
        } catch {
            receipts.takeBack()
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

    /// Whether the put of a new object may replace another.
    var mayReplace: Bool { primaryKey != nil || !onConflict.isEmpty }

    /// Whether the put of a new object may do nothing.
    var mayIgnorePuts: Bool { onConflict.values.contains { $0 == .ignore } }
}
