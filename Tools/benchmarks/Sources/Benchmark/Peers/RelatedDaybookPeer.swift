import Daybook

/// Daybook, through its public API: a to-one relation and its backlink.
struct RelatedDaybookPeer: RelatedPeer {
    private let store: Store
    private let items: Box<RelatedItem>
    private let customers: Box<RelatedCustomer>

    init(directory: String, customerCount: UInt64) throws {
        let options = StoreOptions.measured
        store = try Store(
            directoryPath: directory, entities: RelatedItem.self, RelatedCustomer.self,
            options: options)
        (items, customers) = (store.box(), store.box())
        if try customers.isEmpty() {
            try customers.put((0..<customerCount).map { _ in RelatedCustomer() })
        }
    }

    func insert(_ items: [Item]) throws {
        let related = items.map { RelatedItem($0) }
        try self.items.put(related)
        for (item, stored) in zip(items, related) { item.id = stored.id }
    }

    func traverse(_ body: (UInt64, RelatedItem) -> Void) throws {
        try store.read {
            try customers.forEach { customer in
                try customer.items.get()
                for item in customer.items { body(customer.id, item) }
            }
        }
    }

    func close() throws { try store.close() }
}
