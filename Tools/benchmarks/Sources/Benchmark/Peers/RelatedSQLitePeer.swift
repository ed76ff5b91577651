import CSQLite

/// SQLite: a foreign key with an index.
struct RelatedSQLitePeer: RelatedPeer {
    private let items: SQLitePeer
    private let connection: SQLiteConnection
    private let selection: SQLiteStatement
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let customerCount: UInt64

    init(directory: String, customerCount: UInt64) throws {
        self.customerCount = customerCount
        items = try SQLitePeer(directory: directory, isRelaxed: false)
        connection = try SQLiteConnection(directory: directory, isRelaxed: false)
        try connection.execute("CREATE INDEX IF NOT EXISTS customers ON entity(customerId)")
        selection = try connection.prepare(
            "SELECT \(SQLitePeer.columns) FROM entity WHERE customerId=? ORDER BY id")
        begin = try connection.prepare("BEGIN")
        commit = try connection.prepare("COMMIT")
    }

    func insert(_ items: [Item]) throws { try self.items.insert(items) }

    func traverse(_ body: (UInt64, Item) -> Void) throws {
        try begin.run()
        for customer in 1...customerCount {
            selection.bind(1, customer)
            while try selection.step() { body(customer, selection.item()) }
            sqlite3_reset(selection.handle)
        }
        try commit.run()
    }

    func close() throws {
        for statement in [selection, begin, commit] { statement.finish() }
        try connection.close()
        try items.close()
    }
}
