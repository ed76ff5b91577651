import Daybook

/// Daybook, through its public API.
struct DaybookPeer: Peer {
    typealias Related = RelatedDaybookPeer
    typealias Indexed = IndexedDaybookPeer

    private let store: Store
    private let box: Box<Item>

    init(directory: String, isRelaxed: Bool) throws {
        var options = StoreOptions.measured
        options.durability = isRelaxed ? .manual : .always
        store = try Store(directoryPath: directory, entities: Item.self, options: options)
        box = store.box()
    }

    func insert(_ items: [Item]) throws { try box.put(items) }

    func insert(_ item: Item) throws { try box.put(item) }

    func update(_ ids: ArraySlice<UInt64>, _ change: (Item) -> Void) throws {
        try store.write {
            for id in ids {
                guard let item = try box.get(id) else { throw BenchmarkError("no object \(id)") }
                change(item)
                try box.put(item)
            }
        }
    }

    func remove(_ ids: ArraySlice<UInt64>) throws { try box.remove(ids) }

    func scan(_ body: (Item) -> Void) throws { try box.forEach(body) }

    func makeReader() -> Reader { Reader(box: box) }

    func close() throws { try store.close() }

    struct Reader: PeerReader {
        let box: Box<Item>

        func get(_ id: UInt64) throws -> Item? { try box.get(id) }
        func close() {}
    }
}
