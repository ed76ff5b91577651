import CLMDB

/// LMDB: items under integer keys, and two databases with sorted duplicates as indexes.
struct IndexedLMDBPeer: IndexedPeer {
    private let items: LMDBItems
    private let customers: MDB_dbi
    private let dates: MDB_dbi

    init(directory: String) throws {
        items = try LMDBItems(directory: directory)
        customers = try items.index("customers")
        dates = try items.index("dates")
    }

    func insert(_ new: [Item]) throws {
        try items.write { transaction in
            for item in new {
                try items.append(item, transaction)
                try items.put(item, under: item.customerId, in: customers, transaction)
                // No date of the workload is negative.
                try items.put(item, under: UInt64(item.date), in: dates, transaction)
            }
        }
    }

    func items(of customer: UInt64) throws -> [Item] {
        var found: [Item] = []
        try items.read { transaction in
            let cursor = try LMDBItems.cursor(customers, transaction)
            defer { mdb_cursor_close(cursor) }
            try items.forEach(under: customer, cursor, transaction) { found.append($0) }
        }
        return found
    }

    func items(in range: Range<Int64>) throws -> [Item] {
        var found: [Item] = []
        try items.read { transaction in
            let cursor = try LMDBItems.cursor(dates, transaction)
            defer { mdb_cursor_close(cursor) }
            try withUnsafePointer(to: UInt64(range.lowerBound)) { pointer in
                var key = LMDBItems.value(pointer)
                var value = MDB_val()
                var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
                while code == 0,
                    key.mv_data.loadUnaligned(as: UInt64.self) < UInt64(range.upperBound)
                {
                    found.append(try items.item(value, transaction))
                    code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
                }
            }
        }
        return found
    }

    func count(below limit: Int32, prefix: String) throws -> Int {
        var count = 0
        let first = prefix.utf8.first ?? 0
        try items.read { transaction in
            let cursor = try LMDBItems.cursor(items.database, transaction)
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

    func close() { items.close() }
}
