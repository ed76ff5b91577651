import DaybookBytes
import DaybookEngine
import DaybookRecords
import Foundation

/// A store on disk with related objects: orders refer to a customer and to a list of items, and
/// customers to friends.
final class OrderStore {
    let folder: URL
    private var engine: Engine?
    private var layouts: [EntityLayout] = []

    /// The store's directory.
    var path: String { folder.appendingPathComponent("store").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try open()
    }

    deinit {
        try? engine?.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func open() throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.durability = .manual
        options.snapshotChangeCountMin = 0
        let engine = try Engine.open(path, RealFileSystem(), options: options)
        layouts = try engine.register([
            Self.entity("Customer", ["friends": .toMany], target: "Customer"),
            Self.entity("Item", [:], target: ""),
            EntityDeclaration(
                name: "Order",
                fields: [
                    FieldDeclaration(name: "name", type: .string),
                    Self.field("customer", .toOne, "Customer"),
                    Self.field("items", .objects, "Item"),
                ]),
        ])
        self.engine = engine
    }

    func close() throws {
        try engine?.close()
        engine = nil
    }

    private static func entity(
        _ name: String, _ relations: [String: FieldType], target: String
    ) -> EntityDeclaration {
        EntityDeclaration(
            name: name,
            fields: [FieldDeclaration(name: "name", type: .string)]
                + relations.map { field($0.key, $0.value, target) })
    }

    private static func field(
        _ name: String, _ type: FieldType, _ target: String
    ) -> FieldDeclaration {
        FieldDeclaration(
            name: name, shape: ValueShape(type, isOptional: true, entityName: target))
    }

    @discardableResult
    func write<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
        try engine!.write(metadata: [:], body)
    }

    /// Puts a new object of the entity at an index. Returns its id.
    @discardableResult
    func put(_ entity: Int, _ name: String, in transaction: WriteTransaction) throws -> UInt64 {
        let layout = layouts[entity]
        var row = RowEncoder(RowLayout(layout))
        try row.set(text: name, at: 0)
        row.finish()
        return try transaction.changes.put(
            layout.entityID, 0, layout: layout.layoutID, row: row.row
        ).id
    }

    /// Removes an order.
    func removeOrder(_ id: UInt64, in transaction: WriteTransaction) throws {
        _ = try transaction.changes.remove(layouts[2].entityID, id)
    }

    /// Returns the number of a relation.
    func relation(_ name: String) -> UInt32 {
        for layout in layouts {
            for field in layout.fields where field.name == name {
                return field.relation?.relationID ?? 0
            }
        }
        return 0
    }

    /// Replaces the items of an order, in the given order.
    func setItems(_ items: [UInt64], of order: UInt64, in transaction: WriteTransaction) throws {
        let base = try transaction.changes.list(relation("items"), order).map(\.position)
        _ = try transaction.changes.setList(
            relation("items"), order, from: base,
            to: items.map { ListPlacement(position: nil, target: $0) })
    }

    /// Sequence 1 is the schema; 2 puts two customers, two items and an order of the first
    /// customer; 3 makes the customers friends and gives the order its items; 4 moves the order to
    /// the second customer.
    static func filled() throws -> OrderStore {
        let store = try OrderStore()
        try store.write { transaction in
            for name in ["Ada", "Bob"] { try store.put(0, name, in: transaction) }
            for name in ["pen", "ink"] { try store.put(1, name, in: transaction) }
            try store.put(2, "first", in: transaction)
            try transaction.changes.setTarget(store.relation("customer"), 1, 1)
        }
        try store.write { transaction in
            _ = try transaction.changes.link(store.relation("friends"), 1, 2)
            try store.setItems([2, 2, 1], of: 1, in: transaction)
        }
        try store.write { transaction in
            try transaction.changes.setTarget(store.relation("customer"), 1, 2)
        }
        return store
    }
}
