import CLMDB

/// LMDB: items under integer keys, and under each customer's key the ids of its items, sorted.
final class RelatedLMDBPeer: RelatedPeer {
    private let environment: OpaquePointer
    private var items: MDB_dbi = 0
    private var customers: MDB_dbi = 0
    private var nextId: UInt64 = 1
    private let customerCount: UInt64
    private let scratch = UnsafeMutableRawPointer.allocate(
        byteCount: LMDBRecord.lengthMax, alignment: 8)

    init(directory: String, customerCount: UInt64) throws {
        self.customerCount = customerCount
        var made: OpaquePointer?
        try LMDBPeer.check(mdb_env_create(&made), "create")
        guard let made else { throw BenchmarkError("LMDB made no environment") }
        environment = made
        try LMDBPeer.check(mdb_env_set_mapsize(environment, 8 << 30), "set_mapsize")
        try LMDBPeer.check(mdb_env_set_maxdbs(environment, 4), "set_maxdbs")
        try LMDBPeer.check(
            mdb_env_open(environment, directory, UInt32(MDB_NOTLS), 0o644), "open")
        try inTransaction(0) { transaction in
            let integers = UInt32(MDB_CREATE | MDB_INTEGERKEY)
            let sorted = UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
            try LMDBPeer.check(mdb_dbi_open(transaction, "entity", integers, &items), "dbi_open")
            try LMDBPeer.check(
                mdb_dbi_open(transaction, "customers", integers | sorted, &customers), "dbi_open")
        }
    }

    func insert(_ items: [Item]) throws {
        try inTransaction(0) { transaction in
            for item in items {
                item.id = nextId
                nextId += 1
                try put(item, transaction)
            }
        }
    }

    private func put(_ item: Item, _ transaction: OpaquePointer) throws {
        let length = LMDBRecord.encode(item, to: scratch)
        try withUnsafePointer(to: item.id) { id in
            var key = LMDBPeer.value(id)
            var value = MDB_val(mv_size: length, mv_data: scratch)
            try LMDBPeer.check(
                mdb_put(transaction, items, &key, &value, UInt32(MDB_APPEND)), "put")
            try withUnsafePointer(to: item.customerId) { customer in
                var key = LMDBPeer.value(customer)
                var value = LMDBPeer.value(id)
                try LMDBPeer.check(mdb_put(transaction, customers, &key, &value, 0), "put")
            }
        }
    }

    func traverse(_ body: (UInt64, Item) -> Void) throws {
        try inTransaction(UInt32(MDB_RDONLY)) { transaction in
            var cursor: OpaquePointer?
            try LMDBPeer.check(mdb_cursor_open(transaction, customers, &cursor), "cursor_open")
            defer { mdb_cursor_close(cursor) }
            for customer in 1...customerCount {
                try withUnsafePointer(to: customer) { pointer in
                    var key = LMDBPeer.value(pointer)
                    var value = MDB_val()
                    var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_KEY)
                    while code == 0 {
                        let id = value.mv_data.loadUnaligned(as: UInt64.self)
                        guard let item = LMDBPeer.get(id, transaction, items) else {
                            throw BenchmarkError("LMDB has no object \(id)")
                        }
                        body(customer, item)
                        code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_DUP)
                    }
                }
            }
        }
    }

    func close() {
        mdb_env_close(environment)
        scratch.deallocate()
    }

    private func inTransaction(
        _ flags: UInt32, _ body: (OpaquePointer) throws -> Void
    ) throws {
        var begun: OpaquePointer?
        try LMDBPeer.check(mdb_txn_begin(environment, nil, flags, &begun), "begin")
        guard let begun else { throw BenchmarkError("LMDB began nothing") }
        try body(begun)
        try LMDBPeer.check(mdb_txn_commit(begun), "commit")
    }
}
