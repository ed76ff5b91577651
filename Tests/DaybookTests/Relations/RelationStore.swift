@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation

/// A store of the relation models on disk, which can be reopened and compacted.
final class RelationStore {
    static let entities: [any Storable.Type] = [
        Customer.self, Order.self, Student.self, TreeNode.self, Parcel.self,
    ]

    let directory = TemporaryDirectory()
    private(set) var store: Store

    init() throws { store = try Store(path: directory.path, entities: Self.entities) }

    var customers: Box<Customer> { store.box() }
    var orders: Box<Order> { store.box() }
    var students: Box<Student> { store.box() }
    var teachers: Box<Teacher> { store.box() }
    var nodes: Box<TreeNode> { store.box() }
    var parcels: Box<Parcel> { store.box() }

    func reopen(options: StoreOptions = StoreOptions()) throws {
        try store.close()
        store = try Store(path: directory.path, entities: Self.entities, options: options)
    }

    /// Runs `check` on the open store, after a reopen, after compaction, after a reopen of the
    /// compacted store, and after compaction without history. Then verifies the replay and closes
    /// the store.
    func everywhere(_ check: (String) throws -> Void) throws {
        try check("at once")
        try reopen()
        try check("reopened")
        _ = try store.engine.compact(.all, sealsActive: true)
        try check("compacted")
        try reopen()
        try check("compacted and reopened")
        _ = try store.engine.compact(.latest)
        try reopen()
        try check("without history")
        try store.engine.proveReplay()
        try store.close()
    }

    /// Returns the number of records of each kind that a block writes.
    func records(_ body: () throws -> Void) throws -> [String: Int] {
        try RecordCounter(store.engine).records(body)
    }
}
