import CSQLite

/// SQLite with two indexes.
struct IndexedSQLitePeer: IndexedPeer {
    private let items: SQLitePeer
    private let connection: SQLiteConnection
    private let byCustomer: SQLiteStatement
    private let byDate: SQLiteStatement
    private let filter: SQLiteStatement

    init(directory: String) throws {
        items = try SQLitePeer(directory: directory, isRelaxed: false)
        connection = try SQLiteConnection(directory: directory, isRelaxed: false)
        try connection.execute("CREATE INDEX IF NOT EXISTS customers ON entity(customerId)")
        try connection.execute("CREATE INDEX IF NOT EXISTS dates ON entity(date)")
        let selection = "SELECT \(SQLitePeer.columns) FROM entity WHERE"
        byCustomer = try connection.prepare("\(selection) customerId=?")
        byDate = try connection.prepare("\(selection) date>=? AND date<?")
        // SQLite compares these bounds as bytes, like a prefix search.
        filter = try connection.prepare(
            "SELECT count(*) FROM entity WHERE i32<? AND text>=? AND text<?")
    }

    func insert(_ items: [Item]) throws { try self.items.insert(items) }

    func items(of customer: UInt64) throws -> [Item] {
        byCustomer.bind(1, customer)
        return try all(byCustomer)
    }

    func items(in dates: Range<Int64>) throws -> [Item] {
        byDate.bind(1, UInt64(bitPattern: dates.lowerBound))
        byDate.bind(2, UInt64(bitPattern: dates.upperBound))
        return try all(byDate)
    }

    func count(below limit: Int32, prefix: String) throws -> Int {
        filter.bind(1, UInt64(bitPattern: Int64(limit)))
        return try filter.withText(2, prefix) {
            // The prefix is one byte of ASCII, so its successor ends the range.
            let end = String(decoding: prefix.utf8.map { $0 + 1 }, as: UTF8.self)
            return try filter.withText(3, end) {
                defer { sqlite3_reset(filter.handle) }
                return try filter.step() ? Int(sqlite3_column_int64(filter.handle, 0)) : 0
            }
        }
    }

    func readAll() throws { try items.scan { _ in } }

    func close() throws {
        for statement in [byCustomer, byDate, filter] { statement.finish() }
        try connection.close()
        try items.close()
    }

    private func all(_ statement: SQLiteStatement) throws -> [Item] {
        defer { sqlite3_reset(statement.handle) }
        var found: [Item] = []
        while try statement.step() { found.append(statement.item()) }
        return found
    }
}
