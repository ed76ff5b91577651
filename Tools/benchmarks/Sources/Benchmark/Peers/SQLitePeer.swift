import CSQLite

/// SQLite, through its C interface: prepared statements and a write-ahead log.
struct SQLitePeer: Peer {
    typealias Related = RelatedSQLitePeer
    typealias Indexed = IndexedSQLitePeer

    static let columns = "id,text,i32,i64,f64,flag,date,category,customerId"

    private let directory: String
    private let isRelaxed: Bool
    private let connection: SQLiteConnection
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let insertion: SQLiteStatement
    private let selection: SQLiteStatement
    private let change: SQLiteStatement
    private let removal: SQLiteStatement
    private let everything: SQLiteStatement

    init(directory: String, isRelaxed: Bool) throws {
        self.directory = directory
        self.isRelaxed = isRelaxed
        connection = try SQLiteConnection(directory: directory, isRelaxed: isRelaxed)
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS entity(id INTEGER PRIMARY KEY, text TEXT NOT NULL,
            i32 INTEGER NOT NULL, i64 INTEGER NOT NULL, f64 REAL NOT NULL, flag INTEGER NOT NULL,
            date INTEGER NOT NULL, category TEXT NOT NULL, customerId INTEGER NOT NULL)
            """)
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        insertion = try connection.prepare(
            "INSERT INTO entity(text,i32,i64,f64,flag,date,category,customerId)"
                + " VALUES(?,?,?,?,?,?,?,?)")
        selection = try connection.prepare("SELECT \(Self.columns) FROM entity WHERE id=?")
        // Updates only the changed columns: SQLite's best case.
        change = try connection.prepare("UPDATE entity SET text=?, i32=?, f64=? WHERE id=?")
        removal = try connection.prepare("DELETE FROM entity WHERE id=?")
        everything = try connection.prepare("SELECT \(Self.columns) FROM entity")
    }

    func insert(_ items: [Item]) throws {
        try write { for item in items { try add(item) } }
    }

    func insert(_ item: Item) throws { try write { try add(item) } }

    func update(_ ids: ArraySlice<UInt64>, _ change: (Item) -> Void) throws {
        try write {
            for id in ids {
                selection.bind(1, id)
                guard try selection.step() else { throw BenchmarkError("SQLite has no \(id)") }
                let item = selection.item()
                sqlite3_reset(selection.handle)
                change(item)
                sqlite3_bind_int(self.change.handle, 2, item.i32)
                sqlite3_bind_double(self.change.handle, 3, item.f64)
                self.change.bind(4, id)
                try self.change.withText(1, item.text) { try self.change.run() }
            }
        }
    }

    func remove(_ ids: ArraySlice<UInt64>) throws {
        try write {
            for id in ids {
                removal.bind(1, id)
                try removal.run()
            }
        }
    }

    func scan(_ body: (Item) -> Void) throws {
        while try everything.step() { body(everything.item()) }
        sqlite3_reset(everything.handle)
    }

    func makeReader() throws -> Reader { try Reader(directory, isRelaxed) }

    func close() throws {
        for statement in [begin, commit, insertion, selection, change, removal, everything] {
            statement.finish()
        }
        try connection.close()
    }

    private func write(_ body: () throws -> Void) throws {
        try begin.run()
        try body()
        try commit.run()
    }

    private func add(_ item: Item) throws {
        let handle = insertion.handle
        sqlite3_bind_int(handle, 2, item.i32)
        sqlite3_bind_int64(handle, 3, item.i64)
        sqlite3_bind_double(handle, 4, item.f64)
        sqlite3_bind_int(handle, 5, item.flag ? 1 : 0)
        sqlite3_bind_int64(handle, 6, item.date)
        insertion.bind(8, item.customerId)
        try insertion.withText(1, item.text) {
            try insertion.withText(7, item.category) { try insertion.run() }
        }
        item.id = UInt64(bitPattern: sqlite3_last_insert_rowid(connection.handle))
    }

    /// A reader with its own connection, because a connection belongs to one thread.
    // SENDABLE: one thread at a time uses it, which is all that SQLite requires with NOMUTEX.
    final class Reader: PeerReader, @unchecked Sendable {
        private let connection: SQLiteConnection
        private let selection: SQLiteStatement

        fileprivate init(_ directory: String, _ isRelaxed: Bool) throws {
            connection = try SQLiteConnection(directory: directory, isRelaxed: isRelaxed)
            selection = try connection.prepare(
                "SELECT \(SQLitePeer.columns) FROM entity WHERE id=?")
        }

        func close() throws {
            selection.finish()
            try connection.close()
        }

        func get(_ id: UInt64) throws -> Item? {
            selection.bind(1, id)
            defer { sqlite3_reset(selection.handle) }
            return try selection.step() ? selection.item() : nil
        }
    }
}
