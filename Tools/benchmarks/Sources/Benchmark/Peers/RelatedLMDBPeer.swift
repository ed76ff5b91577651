import CLMDB

/// LMDB: items under integer keys, and the sorted ids of a customer's items under the customer's
/// key.
struct RelatedLMDBPeer: RelatedPeer {
    private let items: LMDBItems
    private let customers: MDB_dbi
    private let customerCount: UInt64

    init(directory: String, customerCount: UInt64) throws {
        self.customerCount = customerCount
        items = try LMDBItems(directory: directory)
        customers = try items.index("customers")
    }

    func insert(_ new: [Item]) throws {
        try items.write { transaction in
            for item in new {
                try items.append(item, transaction)
                try items.put(item, under: item.customerId, in: customers, transaction)
            }
        }
    }

    func traverse(_ body: (UInt64, Item) -> Void) throws {
        try items.read { transaction in
            let cursor = try LMDBItems.cursor(customers, transaction)
            defer { mdb_cursor_close(cursor) }
            for customer in 1...customerCount {
                try items.forEach(under: customer, cursor, transaction) { body(customer, $0) }
            }
        }
    }

    func close() { items.close() }
}
