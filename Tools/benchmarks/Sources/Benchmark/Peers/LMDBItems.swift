import CLMDB

/// The base of all LMDB peers: an environment with items under integer keys, appended in order, and
/// indexes on them.
final class LMDBItems {
    let environment: OpaquePointer
    private(set) var database: MDB_dbi = 0
    private var nextId: UInt64 = 1
    private let scratch = UnsafeMutableRawPointer.allocate(
        byteCount: LMDBRecord.lengthMax, alignment: 8)

    init(directory: String, isRelaxed: Bool = false) throws {
        var made: OpaquePointer?
        try Self.check(mdb_env_create(&made), "create")
        guard let made else { throw BenchmarkError("LMDB made no environment") }
        environment = made
        try Self.check(mdb_env_set_mapsize(environment, 8 << 30), "set_mapsize")
        try Self.check(mdb_env_set_maxdbs(environment, 4), "set_maxdbs")
        let flags = UInt32(MDB_NOTLS) | (isRelaxed ? UInt32(MDB_NOSYNC) : 0)
        try Self.check(mdb_env_open(environment, directory, flags, 0o644), "open")
        try write { transaction in
            let flags = UInt32(MDB_CREATE | MDB_INTEGERKEY)
            try Self.check(mdb_dbi_open(transaction, "entity", flags, &database), "dbi_open")
            let cursor = try Self.cursor(database, transaction)
            defer { mdb_cursor_close(cursor) }
            var key = MDB_val()
            var value = MDB_val()
            if mdb_cursor_get(cursor, &key, &value, MDB_LAST) == 0 {
                nextId = key.mv_data.loadUnaligned(as: UInt64.self) + 1
            }
        }
    }

    /// Opens an index: a database of ids under numbers, the ids of one number sorted.
    func index(_ name: String) throws -> MDB_dbi {
        var index: MDB_dbi = 0
        try write { transaction in
            let flags = MDB_CREATE | MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
            try Self.check(mdb_dbi_open(transaction, name, UInt32(flags), &index), "dbi_open")
        }
        return index
    }

    func close() {
        mdb_env_close(environment)
        scratch.deallocate()
    }

    // MARK: Items

    /// Assigns an id to an item and appends it.
    func append(_ item: Item, _ transaction: OpaquePointer) throws {
        item.id = nextId
        nextId += 1
        try put(item, transaction, flags: UInt32(MDB_APPEND))
    }

    func put(_ item: Item, _ transaction: OpaquePointer, flags: UInt32 = 0) throws {
        let length = LMDBRecord.encode(item, to: scratch)
        try withUnsafePointer(to: item.id) { pointer in
            var key = Self.value(pointer)
            var value = MDB_val(mv_size: length, mv_data: scratch)
            try Self.check(mdb_put(transaction, database, &key, &value, flags), "put")
        }
    }

    /// Adds an item to an index.
    func put(
        _ item: Item, under number: UInt64, in index: MDB_dbi, _ transaction: OpaquePointer
    ) throws {
        try withUnsafePointer(to: item.id) { id in
            try withUnsafePointer(to: number) { number in
                var key = Self.value(number)
                var value = Self.value(id)
                try Self.check(mdb_put(transaction, index, &key, &value, 0), "put")
            }
        }
    }

    /// Calls a closure with the items of an index entry.
    @inline(__always)
    func forEach(
        under number: UInt64, _ cursor: OpaquePointer, _ transaction: OpaquePointer,
        _ body: (Item) -> Void
    ) throws {
        try withUnsafePointer(to: number) { pointer in
            var key = Self.value(pointer)
            var value = MDB_val()
            var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_KEY)
            while code == 0 {
                body(try item(value, transaction))
                code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_DUP)
            }
        }
    }

    /// Returns the item of an index entry.
    @inline(__always)
    func item(_ entry: MDB_val, _ transaction: OpaquePointer) throws -> Item {
        try get(entry.mv_data.loadUnaligned(as: UInt64.self), transaction)
    }

    /// Returns an item. Throws if it does not exist.
    @inline(__always)
    func get(_ id: UInt64, _ transaction: OpaquePointer) throws -> Item {
        guard let item = Self.get(id, transaction, database) else {
            throw BenchmarkError("LMDB has no object \(id)")
        }
        return item
    }

    @inline(__always)
    static func get(
        _ id: UInt64, _ transaction: OpaquePointer, _ database: MDB_dbi
    ) -> Item? {
        withUnsafePointer(to: id) { pointer in
            var key = value(pointer)
            var found = MDB_val()
            guard mdb_get(transaction, database, &key, &found) == 0 else { return nil }
            return LMDBRecord.decode(id, found.mv_data)
        }
    }

    // MARK: Transactions

    func write(_ body: (OpaquePointer) throws -> Void) throws {
        let transaction = try Self.begin(environment, 0)
        try body(transaction)
        try Self.check(mdb_txn_commit(transaction), "commit")
    }

    func read(_ body: (OpaquePointer) throws -> Void) throws {
        let transaction = try Self.begin(environment, UInt32(MDB_RDONLY))
        defer { mdb_txn_abort(transaction) }
        try body(transaction)
    }

    static func begin(_ environment: OpaquePointer, _ flags: UInt32) throws -> OpaquePointer {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, flags, &begun), "begin")
        guard let begun else { throw BenchmarkError("LMDB began nothing") }
        return begun
    }

    static func cursor(
        _ database: MDB_dbi, _ transaction: OpaquePointer
    ) throws -> OpaquePointer {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(transaction, database, &cursor), "cursor_open")
        guard let cursor else { throw BenchmarkError("LMDB opened no cursor") }
        return cursor
    }

    @inline(__always)
    static func value(_ pointer: UnsafePointer<UInt64>) -> MDB_val {
        MDB_val(mv_size: 8, mv_data: UnsafeMutableRawPointer(mutating: pointer))
    }

    static func check(_ code: Int32, _ call: String) throws {
        guard code != 0 else { return }
        throw BenchmarkError("mdb_\(call): \(String(cString: mdb_strerror(code)))")
    }
}
