import CLMDB

/// LMDB: items under integer keys, and two databases of sorted duplicates that lead to them.
final class IndexedLMDBPeer: IndexedPeer {
    private let environment: OpaquePointer
    private var items: MDB_dbi = 0
    private var customers: MDB_dbi = 0
    private var dates: MDB_dbi = 0
    private var nextId: UInt64 = 1
    private let scratch = UnsafeMutableRawPointer.allocate(
        byteCount: LMDBRecord.lengthMax, alignment: 8)

    init(directory: String) throws {
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
            let sorted = integers | UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
            try LMDBPeer.check(mdb_dbi_open(transaction, "entity", integers, &items), "dbi_open")
            try LMDBPeer.check(
                mdb_dbi_open(transaction, "customers", sorted, &customers), "dbi_open")
            try LMDBPeer.check(mdb_dbi_open(transaction, "dates", sorted, &dates), "dbi_open")
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
            // No date of the workload is negative.
            for (index, number) in [(customers, item.customerId), (dates, UInt64(item.date))] {
                try withUnsafePointer(to: number) { number in
                    var key = LMDBPeer.value(number)
                    var value = LMDBPeer.value(id)
                    try LMDBPeer.check(mdb_put(transaction, index, &key, &value, 0), "put")
                }
            }
        }
    }

    func items(of customer: UInt64) throws -> [Item] {
        var found: [Item] = []
        try inTransaction(UInt32(MDB_RDONLY)) { transaction in
            let cursor = try cursor(customers, transaction)
            defer { mdb_cursor_close(cursor) }
            try withUnsafePointer(to: customer) { pointer in
                var key = LMDBPeer.value(pointer)
                var value = MDB_val()
                var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_KEY)
                while code == 0 {
                    found.append(try item(value, transaction))
                    code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_DUP)
                }
            }
        }
        return found
    }

    func items(in range: Range<Int64>) throws -> [Item] {
        var found: [Item] = []
        try inTransaction(UInt32(MDB_RDONLY)) { transaction in
            let cursor = try cursor(dates, transaction)
            defer { mdb_cursor_close(cursor) }
            try withUnsafePointer(to: UInt64(range.lowerBound)) { pointer in
                var key = LMDBPeer.value(pointer)
                var value = MDB_val()
                var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
                while code == 0,
                    key.mv_data.loadUnaligned(as: UInt64.self) < UInt64(range.upperBound)
                {
                    found.append(try item(value, transaction))
                    code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
                }
            }
        }
        return found
    }

    func count(below limit: Int32, prefix: String) throws -> Int {
        var count = 0
        let first = prefix.utf8.first ?? 0
        try inTransaction(UInt32(MDB_RDONLY)) { transaction in
            let cursor = try cursor(items, transaction)
            defer { mdb_cursor_close(cursor) }
            var key = MDB_val()
            var value = MDB_val()
            while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
                if LMDBRecord.isBelow(limit, value.mv_data),
                    LMDBRecord.begins(with: first, value.mv_data)
                {
                    count += 1
                }
            }
        }
        return count
    }

    func readAll() throws { _ = try count(below: .max, prefix: "a") }

    func close() {
        mdb_env_close(environment)
        scratch.deallocate()
    }

    private func cursor(
        _ database: MDB_dbi, _ transaction: OpaquePointer
    ) throws -> OpaquePointer {
        var cursor: OpaquePointer?
        try LMDBPeer.check(mdb_cursor_open(transaction, database, &cursor), "cursor_open")
        guard let cursor else { throw BenchmarkError("LMDB opened no cursor") }
        return cursor
    }

    private func item(_ value: MDB_val, _ transaction: OpaquePointer) throws -> Item {
        let id = value.mv_data.loadUnaligned(as: UInt64.self)
        guard let item = LMDBPeer.get(id, transaction, items) else {
            throw BenchmarkError("LMDB has no object \(id)")
        }
        return item
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
