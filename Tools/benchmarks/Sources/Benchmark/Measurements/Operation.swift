/// The measured operations. Their names equal those of the peers' table.
enum Operation: String, CaseIterable {
    case putBulk = "put_bulk_noidx"
    case putSingleDurable = "put_single_durable"
    case putSingleRelaxed = "put_single_relaxed"
    case updateBulk = "update_bulk"
    /// The bytes that the process of ``updateBulk`` writes, from opening to closing. Not timed.
    case updateWritten = "update_written"
    case removeBulk = "remove_bulk"
    case getRandom = "get_random"
    case getRandomTwoThreads = "get_random_2t"
    case scanAll = "scan_all"
    case openWarm = "open_warm"
    case openCold = "open_cold"
    /// Puts items with a relation to their customers, traversable in both directions.
    case relateBulk = "put_bulk_related"
    /// Reads the items of every customer.
    case traverse
    /// Puts items with an index on the customer and an index on the date.
    case indexBulk = "put_bulk"
    /// Finds the items of one customer with the index.
    case queryEqual = "query_indexed_eq"
    /// Finds about 1,000 items with the index on the date.
    case queryRange = "query_range"
    /// Counts the items that match two conditions without an index.
    case queryScanFilter = "query_scan_filter"
    /// The size of the whole directory after closing and, if the peer supports it, compacting. Not
    /// timed.
    case disk
    /// The size of the part that contains the objects; measured together with ``disk``.
    case diskLog = "disk_log"

    /// The initial state that an operation needs.
    enum Base {
        /// An empty directory. Other operations use the result.
        case empty
        /// A copy of the filled directory, because the operation changes it.
        case copy
        /// The filled directory itself.
        case filled
        /// The same two states, with items that are related to their customers.
        case emptyRelated
        case filledRelated
        /// The same two states, with indexes.
        case emptyIndexed
        case filledIndexed

        /// The suffix of the directory names.
        var suffix: String {
            switch self {
            case .empty, .copy, .filled: ""
            case .emptyRelated, .filledRelated: "-related"
            case .emptyIndexed, .filledIndexed: "-indexed"
            }
        }

        /// Whether the operation uses the filled directory itself.
        var isFilled: Bool {
            self == .filled || self == .filledRelated || self == .filledIndexed
        }
    }

    var base: Base {
        switch self {
        case .putBulk: .empty
        case .relateBulk: .emptyRelated
        case .traverse: .filledRelated
        case .indexBulk: .emptyIndexed
        case .queryEqual, .queryRange, .queryScanFilter: .filledIndexed
        case .putSingleDurable, .putSingleRelaxed, .updateBulk, .updateWritten,
            .removeBulk, .disk, .diskLog:
            .copy
        case .getRandom, .getRandomTwoThreads, .scanAll, .openWarm, .openCold: .filled
        }
    }

    /// Whether this operation creates the initial state of another operation.
    func isBase(of other: Operation) -> Bool {
        switch other.base {
        case .emptyRelated, .filledRelated: self == .relateBulk
        case .emptyIndexed, .filledIndexed: self == .indexBulk
        case .empty, .copy, .filled: self == .putBulk
        }
    }

    /// The name in the table of the guides and in the chart; nil if they leave the operation out.
    var title: String? {
        switch self {
        case .putBulk: "bulk insert, no index"
        case .indexBulk: "bulk insert with two indexes"
        case .relateBulk: "bulk insert with a relation"
        case .putSingleDurable: "durable commit of one object"
        case .updateBulk: "random update"
        case .getRandom: "random get"
        case .scanAll: "scan of all objects"
        case .queryEqual: "query by an index, about 100 objects"
        case .openWarm: "opening, files cached"
        case .disk: "disk, compacted with full history"
        case .putSingleRelaxed, .updateWritten, .removeBulk, .getRandomTwoThreads, .openCold,
            .traverse, .queryRange, .queryScanFilter, .diskLog:
            nil
        }
    }

    /// Whether the operation is CPU-bound, so that its CPU time is more meaningful than the wall
    /// time on a shared machine.
    var isBoundByProcessor: Bool {
        switch self {
        case .getRandom, .getRandomTwoThreads, .scanAll, .traverse, .queryEqual, .queryRange: true
        default: false
        }
    }

    /// Whether the result is a size instead of a time.
    var isSize: Bool { self == .disk || self == .diskLog }

    /// The unit of the table, and the number of units per second.
    var unit: (name: String, perSecond: Double) {
        switch self {
        case .scanAll: ("ns/object", 1e9)
        case .openWarm, .openCold: ("ms", 1e3)
        case .queryEqual, .queryRange: ("µs/query", 1e6)
        case .queryScanFilter: ("ms/query", 1e3)
        case .disk, .diskLog: ("MiB", 1)
        case .updateWritten: ("bytes/object", 1)
        case .getRandom, .getRandomTwoThreads: ("µs/get", 1e6)
        case .putSingleDurable, .putSingleRelaxed: ("µs/commit", 1e6)
        case .putBulk, .updateBulk, .removeBulk, .relateBulk, .traverse, .indexBulk:
            ("µs/object", 1e6)
        }
    }
}
