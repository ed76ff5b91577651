import CSQLite
import DaybookQuery

/// The same objects in SQLite.
final class SQLiteDatabase {
    private let handle: OpaquePointer

    init() throws {
        var opened: OpaquePointer?
        guard sqlite3_open(":memory:", &opened) == SQLITE_OK, let opened else {
            throw SQLiteFailure("it does not open")
        }
        handle = opened
    }

    deinit { sqlite3_close(handle) }

    /// Creates and fills tables of the objects.
    func fill(_ schema: RandomSchema, _ things: [Thing], _ owners: [Owner]) throws {
        // Columns without types store values without conversion.
        let columns = schema.properties.map { ", \($0.name)" }.joined()
        _ = try ids("CREATE TABLE thing(id INTEGER PRIMARY KEY\(columns), owner)")
        _ = try ids("CREATE TABLE owner(id INTEGER PRIMARY KEY, name, rank)")
        _ = try ids("CREATE TABLE friend(thing, owner)")
        _ = try ids("CREATE TABLE tag(thing, value)")
        for owner in owners {
            _ = try ids(
                "INSERT INTO owner VALUES(?,?,?)",
                [
                    .integer(Int64(owner.id)), .text(owner.name),
                    owner.rank.map { .integer(Int64($0)) },
                ])
        }
        let marks = schema.properties.map { _ in ",?" }.joined()
        for thing in things {
            let owner = thing.owner.targetId.map { Cell.integer(Int64($0.value)) }
            let id = Cell.integer(Int64(thing.id))
            _ = try ids("INSERT INTO thing VALUES(?\(marks),?)", [id] + thing.cells + [owner])
            for friend in try thing.friends.getUncachedIdsFromDb() {
                _ = try ids(
                    "INSERT INTO friend VALUES(?,?)", [id, .integer(Int64(friend.objectId))])
            }
            for tag in thing.tags {
                _ = try ids("INSERT INTO tag VALUES(?,?)", [id, .integer(tag)])
            }
        }
    }

    /// Returns the first column of a statement's result.
    func ids(_ text: String, _ values: [Cell?] = []) throws -> [UInt64] {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, text, -1, &prepared, nil) == SQLITE_OK, let prepared else {
            throw SQLiteFailure("\(text): \(String(cString: sqlite3_errmsg(handle)))")
        }
        defer { sqlite3_finalize(prepared) }
        for (index, value) in values.enumerated() { bind(value, Int32(index + 1), prepared) }
        var found: [UInt64] = []
        while true {
            switch sqlite3_step(prepared) {
            case SQLITE_ROW: found.append(UInt64(sqlite3_column_int64(prepared, 0)))
            case SQLITE_DONE: return found
            default: throw SQLiteFailure("\(text): \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
    }

    private func bind(_ cell: Cell?, _ index: Int32, _ statement: OpaquePointer) {
        /// Makes SQLite copy the value.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        func bind(blob: [UInt8]) {
            if blob.isEmpty {
                sqlite3_bind_zeroblob(statement, index, 0)
            } else {
                sqlite3_bind_blob(statement, index, blob, Int32(blob.count), transient)
            }
        }
        switch cell {
        case nil: sqlite3_bind_null(statement, index)
        case .bool(let value)?: sqlite3_bind_int64(statement, index, value ? 1 : 0)
        case .integer(let value)?, .date(let value)?: sqlite3_bind_int64(statement, index, value)
        case .number(let value)?: sqlite3_bind_double(statement, index, value)
        case .text(let value)?:
            sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), transient)
        case .bytes(let value)?: bind(blob: value)
        case .uuid(let value)?: bind(blob: value.octets)
        case .decimal(let value)?:
            sqlite3_bind_text(statement, index, "\(value)", -1, transient)
        }
    }
}

struct SQLiteFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = "SQLite: \(description)" }
}
