import CLMDB

/// LMDB: objects under integer keys, appended in order.
struct LMDBPeer: Peer {
    typealias Related = RelatedLMDBPeer
    typealias Indexed = IndexedLMDBPeer

    private let items: LMDBItems

    init(directory: String, isRelaxed: Bool) throws {
        items = try LMDBItems(directory: directory, isRelaxed: isRelaxed)
    }

    func insert(_ new: [Item]) throws {
        try items.write { transaction in
            for item in new { try items.append(item, transaction) }
        }
    }

    func insert(_ item: Item) throws { try items.write { try items.append(item, $0) } }

    func update(_ ids: ArraySlice<UInt64>, _ change: (Item) -> Void) throws {
        try items.write { transaction in
            for id in ids {
                let item = try items.get(id, transaction)
                change(item)
                try items.put(item, transaction)
            }
        }
    }

    func remove(_ ids: ArraySlice<UInt64>) throws {
        try items.write { transaction in
            for id in ids {
                try withUnsafePointer(to: id) { pointer in
                    var key = LMDBItems.value(pointer)
                    try LMDBItems.check(mdb_del(transaction, items.database, &key, nil), "del")
                }
            }
        }
    }

    func scan(_ body: (Item) -> Void) throws {
        try items.read { transaction in
            let cursor = try LMDBItems.cursor(items.database, transaction)
            defer { mdb_cursor_close(cursor) }
            var key = MDB_val()
            var value = MDB_val()
            while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
                body(LMDBRecord.decode(key.mv_data.loadUnaligned(as: UInt64.self), value.mv_data))
            }
        }
    }

    func makeReader() throws -> Reader { try Reader(items) }

    func close() { items.close() }

    /// A read transaction that is renewed for each get, as LMDB advises.
    // SENDABLE: one thread at a time uses it, and LMDB binds no reader to a thread with MDB_NOTLS.
    final class Reader: PeerReader, @unchecked Sendable {
        private let transaction: OpaquePointer
        private let database: MDB_dbi

        fileprivate init(_ items: LMDBItems) throws {
            transaction = try LMDBItems.begin(items.environment, UInt32(MDB_RDONLY))
            mdb_txn_reset(transaction)
            database = items.database
        }

        func close() { mdb_txn_abort(transaction) }

        func get(_ id: UInt64) throws -> Item? {
            try LMDBItems.check(mdb_txn_renew(transaction), "renew")
            defer { mdb_txn_reset(transaction) }
            return LMDBItems.get(id, transaction, database)
        }
    }
}
