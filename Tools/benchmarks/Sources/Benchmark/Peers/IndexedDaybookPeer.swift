import Daybook

/// Daybook, through its public API, with indexes on two properties.
struct IndexedDaybookPeer: IndexedPeer {
    private let store: Store
    private let box: Box<IndexedItem>

    init(directory: String) throws {
        let options = StoreOptions.measured
        store = try Store(directoryPath: directory, entities: IndexedItem.self, options: options)
        box = store.box()
    }

    func insert(_ items: [Item]) throws {
        let indexed = items.map { IndexedItem($0) }
        try box.put(indexed)
        for (item, stored) in zip(items, indexed) { item.id = stored.id }
    }

    func items(of customer: UInt64) throws -> [IndexedItem] {
        try box.query { $0.customerId == customer }.find()
    }

    func items(in dates: Range<Int64>) throws -> [IndexedItem] {
        try box.query { $0.date >= dates.lowerBound && $0.date < dates.upperBound }.find()
    }

    func count(below limit: Int32, prefix: String) throws -> Int {
        try box.query { $0.i32 < limit && $0.text.startsWith(prefix) }.count()
    }

    func readAll() throws { try box.forEach { _ in } }

    func close() throws { try store.close() }
}
