import CLMDB

/// LMDB: objects under integer keys, appended in order.
final class LMDBPeer: Peer {
    typealias Related = RelatedLMDBPeer
    typealias Indexed = IndexedLMDBPeer

    private let environment: OpaquePointer
    private var database: MDB_dbi = 0
    private var nextId: UInt64 = 1
    private let scratch = UnsafeMutableRawPointer.allocate(
        byteCount: LMDBRecord.lengthMax, alignment: 8)

    init(directory: String, isRelaxed: Bool) throws {
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
            var cursor: OpaquePointer?
            try Self.check(mdb_cursor_open(transaction, database, &cursor), "cursor_open")
            defer { mdb_cursor_close(cursor) }
            var key = MDB_val()
            var value = MDB_val()
            if mdb_cursor_get(cursor, &key, &value, MDB_LAST) == 0 {
                nextId = key.mv_data.loadUnaligned(as: UInt64.self) + 1
            }
        }
    }

    func insert(_ items: [Item]) throws {
        try write { transaction in
            for item in items { try append(item, transaction) }
        }
    }

    func insert(_ item: Item) throws { try write { try append(item, $0) } }

    func update(_ ids: ArraySlice<UInt64>, _ change: (Item) -> Void) throws {
        try write { transaction in
            for id in ids {
                guard let item = Self.get(id, transaction, database) else {
                    throw BenchmarkError("LMDB has no object \(id)")
                }
                change(item)
                try put(item, transaction, flags: 0)
            }
        }
    }

    func remove(_ ids: ArraySlice<UInt64>) throws {
        try write { transaction in
            for id in ids {
                try withUnsafePointer(to: id) { pointer in
                    var key = Self.value(pointer)
                    try Self.check(mdb_del(transaction, database, &key, nil), "del")
                }
            }
        }
    }

    func scan(_ body: (Item) -> Void) throws {
        var transaction: OpaquePointer?
        try Self.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction), "begin")
        defer { mdb_txn_abort(transaction) }
        var cursor: OpaquePointer?
        try Self.check(mdb_cursor_open(transaction, database, &cursor), "cursor_open")
        defer { mdb_cursor_close(cursor) }
        var key = MDB_val()
        var value = MDB_val()
        while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
            body(LMDBRecord.decode(key.mv_data.loadUnaligned(as: UInt64.self), value.mv_data))
        }
    }

    func makeReader() throws -> Reader { try Reader(environment, database) }

    func close() {
        mdb_env_close(environment)
        scratch.deallocate()
    }

    // MARK: Steps

    private func write(_ body: (OpaquePointer) throws -> Void) throws {
        var begun: OpaquePointer?
        try Self.check(mdb_txn_begin(environment, nil, 0, &begun), "begin")
        guard let begun else { throw BenchmarkError("LMDB began nothing") }
        try body(begun)
        try Self.check(mdb_txn_commit(begun), "commit")
    }

    private func append(_ item: Item, _ transaction: OpaquePointer) throws {
        item.id = nextId
        nextId += 1
        try put(item, transaction, flags: UInt32(MDB_APPEND))
    }

    private func put(_ item: Item, _ transaction: OpaquePointer, flags: UInt32) throws {
        let length = LMDBRecord.encode(item, to: scratch)
        try withUnsafePointer(to: item.id) { pointer in
            var key = Self.value(pointer)
            var value = MDB_val(mv_size: length, mv_data: scratch)
            try Self.check(mdb_put(transaction, database, &key, &value, flags), "put")
        }
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

    @inline(__always)
    static func value(_ pointer: UnsafePointer<UInt64>) -> MDB_val {
        MDB_val(mv_size: 8, mv_data: UnsafeMutableRawPointer(mutating: pointer))
    }

    static func check(_ code: Int32, _ call: String) throws {
        guard code != 0 else { return }
        throw BenchmarkError("mdb_\(call): \(String(cString: mdb_strerror(code)))")
    }

    /// A read transaction that is renewed for each get, as LMDB advises.
    // SENDABLE: one thread at a time uses it, and LMDB binds no reader to a thread with MDB_NOTLS.
    final class Reader: PeerReader, @unchecked Sendable {
        private let transaction: OpaquePointer
        private let database: MDB_dbi

        fileprivate init(_ environment: OpaquePointer, _ database: MDB_dbi) throws {
            var begun: OpaquePointer?
            try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun), "begin")
            guard let begun else { throw BenchmarkError("LMDB began nothing") }
            mdb_txn_reset(begun)
            transaction = begun
            self.database = database
        }

        func close() { mdb_txn_abort(transaction) }

        func get(_ id: UInt64) throws -> Item? {
            try check(mdb_txn_renew(transaction), "renew")
            defer { mdb_txn_reset(transaction) }
            return LMDBPeer.get(id, transaction, database)
        }
    }
}
