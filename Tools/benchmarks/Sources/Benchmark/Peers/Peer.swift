/// A database that takes items.
protocol FillablePeer: SendableMetatype {
    /// Inserts items in one transaction and sets their ids: 1, 2, 3 … over the database's life.
    func insert(_ items: [Item]) throws
    func close() throws
}

/// A database that runs the workload.
protocol Peer: FillablePeer {
    associatedtype Reader: PeerReader
    associatedtype Related: RelatedPeer
    associatedtype Indexed: IndexedPeer

    /// Opens the database in a directory that exists, making it where the directory is empty.
    /// `isRelaxed` hands commits to the operating system and syncs later.
    init(directory: String, isRelaxed: Bool) throws

    /// Inserts one object in a transaction of its own.
    func insert(_ item: Item) throws
    /// Reads each object, lets `change` change it, and writes it, all in one transaction. Of the
    /// fields, `text`, `i32` and `f64` change.
    func update(_ ids: ArraySlice<UInt64>, _ change: (Item) -> Void) throws
    /// Removes objects in one transaction.
    func remove(_ ids: ArraySlice<UInt64>) throws
    /// Gives every object to `body`, each decoded, in the order of ids.
    func scan(_ body: (Item) -> Void) throws
    /// What one thread reads through.
    func makeReader() throws -> Reader
}

/// A database of items that are related to their customers.
protocol RelatedPeer: FillablePeer {
    associatedtype Related: ItemContents

    /// As ``Peer/init(directory:isRelaxed:)``; `customerCount` customers are there afterwards.
    init(directory: String, customerCount: UInt64) throws

    /// Gives the items of every customer to `body`, each decoded, in the order of ids.
    func traverse(_ body: (_ customer: UInt64, Related) -> Void) throws
}

/// A database of items with indexes on their customers and their dates.
protocol IndexedPeer: FillablePeer {
    associatedtype Indexed: CustomerItemContents

    init(directory: String) throws

    /// The items of a customer, decoded.
    func items(of customer: UInt64) throws -> [Indexed]
    /// The items of a range of dates, decoded.
    func items(in dates: Range<Int64>) throws -> [Indexed]
    /// How many items have an `i32` below a limit and a text with a prefix, by a look at all.
    func count(below limit: Int32, prefix: String) throws -> Int
    /// Reads all items once.
    func readAll() throws
}

/// Gets objects, each in a read transaction of its own.
protocol PeerReader: Sendable {
    func get(_ id: UInt64) throws -> Item?
    /// Comes before the peer is closed.
    func close() throws
}

/// Why a measurement cannot go on.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
