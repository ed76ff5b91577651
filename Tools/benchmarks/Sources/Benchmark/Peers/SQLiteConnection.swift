import CSQLite

/// A connection with the settings that all SQLite measurements share.
struct SQLiteConnection {
    let handle: OpaquePointer

    init(directory: String, isRelaxed: Bool) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(directory + "/db.sqlite", &opened, flags, nil) == SQLITE_OK,
            let opened
        else { throw BenchmarkError("SQLite cannot open a database in \(directory)") }
        handle = opened
        try execute("PRAGMA journal_mode=WAL")
        try execute("PRAGMA synchronous=\(isRelaxed ? "NORMAL" : "FULL")")
        try execute("PRAGMA cache_size=-131072")  // 128 MiB instead of 2 MiB.
        try execute("PRAGMA mmap_size=2147418112")
    }

    func execute(_ text: String) throws {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw failure(text) }
    }

    func prepare(_ text: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(text) }
        return SQLiteStatement(handle: statement)
    }

    /// All statements must be finished before this call.
    func close() throws {
        guard sqlite3_close(handle) == SQLITE_OK else { throw failure("close") }
    }

    private func failure(_ what: String) -> BenchmarkError {
        BenchmarkError("SQLite: \(what): \(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// A prepared statement.
struct SQLiteStatement {
    let handle: OpaquePointer

    /// Executes the next step. Returns whether it produced a row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw BenchmarkError("SQLite: step: \(String(cString: sqlite3_errstr(code)))")
        }
    }

    /// Runs a statement without result rows.
    func run() throws {
        _ = try step()
        sqlite3_reset(handle)
    }

    func finish() { sqlite3_finalize(handle) }

    func bind(_ column: Int32, _ value: UInt64) {
        sqlite3_bind_int64(handle, column, Int64(bitPattern: value))
    }

    /// Binds a string and keeps its memory valid during `body`, so that SQLite need not copy it.
    @inline(__always)
    func withText<Result>(
        _ column: Int32, _ text: String, _ body: () throws -> Result
    ) rethrows -> Result {
        var text = text
        return try text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                _ = sqlite3_bind_text(
                    handle, column, bytes.baseAddress, Int32(bytes.count), nil)
            }
            return try body()
        }
    }

    /// Returns the object of the current row; the columns are ``SQLitePeer/columns``.
    func item() -> Item {
        Item(
            id: UInt64(bitPattern: sqlite3_column_int64(handle, 0)), text: text(1),
            i32: sqlite3_column_int(handle, 2), i64: sqlite3_column_int64(handle, 3),
            f64: sqlite3_column_double(handle, 4), flag: sqlite3_column_int(handle, 5) != 0,
            date: sqlite3_column_int64(handle, 6), category: text(7),
            customerId: UInt64(bitPattern: sqlite3_column_int64(handle, 8)))
    }

    private func text(_ column: Int32) -> String {
        let start = sqlite3_column_text(handle, column)
        let length = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
