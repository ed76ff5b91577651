/// A database that stores items.
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

    /// Opens the database in an existing directory, and creates the database if the directory is
    /// empty. With `isRelaxed`, a commit only hands its data to the operating system, and a sync
    /// follows later.
    init(directory: String, isRelaxed: Bool) throws

    /// Inserts one object in its own transaction.
    func insert(_ item: Item) throws
    /// Reads each object, calls `change` to modify it, and writes it, all in one transaction. Of
    /// the fields, `text`, `i32` and `f64` change.
    func update(_ ids: ArraySlice<UInt64>, _ change: (Item) -> Void) throws
    /// Removes objects in one transaction.
    func remove(_ ids: ArraySlice<UInt64>) throws
    /// Calls `body` with every decoded object, in the order of ids.
    func scan(_ body: (Item) -> Void) throws
    /// Returns a reader for one thread.
    func makeReader() throws -> Reader
}

/// A database of items with relations to their customers.
protocol RelatedPeer: FillablePeer {
    associatedtype Related: ItemContents

    /// Opens the database as ``Peer/init(directory:isRelaxed:)`` does, and ensures that
    /// `customerCount` customers exist.
    init(directory: String, customerCount: UInt64) throws

    /// Calls `body` with the decoded items of every customer, in the order of ids.
    func traverse(_ body: (_ customer: UInt64, Related) -> Void) throws
}

/// A database of items with indexes on their customers and their dates.
protocol IndexedPeer: FillablePeer {
    associatedtype Indexed: CustomerItemContents

    init(directory: String) throws

    /// Returns the decoded items of a customer.
    func items(of customer: UInt64) throws -> [Indexed]
    /// Returns the decoded items of a range of dates.
    func items(in dates: Range<Int64>) throws -> [Indexed]
    /// Counts the items with an `i32` below a limit and a string with a prefix, with a full scan.
    func count(below limit: Int32, prefix: String) throws -> Int
    /// Reads all items once.
    func readAll() throws
}

/// Gets objects, each in its own read transaction.
protocol PeerReader: Sendable {
    func get(_ id: UInt64) throws -> Item?
    /// Must be called before the peer is closed.
    func close() throws
}

/// The reason why a measurement failed.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
