import Daybook
import DaybookTestSupport

extension Store {
    /// Opens a store for tests of commit notifications: it makes no commits of its own.
    static func quiet(
        _ directory: TemporaryDirectory, _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.refreshInterval = .zero
        change(&options)
        return try Store(
            directory: directory.url, entities: Note.self, Customer.self, Order.self, Item.self,
            Reading.self, options: options)
    }
}
