/// What is measured. The names are those of the peers' table.
enum Operation: String, CaseIterable {
    case putBulk = "put_bulk_noidx"
    case putSingleDurable = "put_single_durable"
    case putSingleRelaxed = "put_single_relaxed"
    case updateBulk = "update_bulk"
    case removeBulk = "remove_bulk"
    case getRandom = "get_random"
    case getRandomTwoThreads = "get_random_2t"
    case scanAll = "scan_all"
    case openWarm = "open_warm"
    case openCold = "open_cold"
    /// Items with a relation to their customers, which can be followed from both sides.
    case relateBulk = "put_bulk_related"
    /// The items of every customer.
    case traverse
    /// Items with an index on their customers and one on their dates.
    case indexBulk = "put_bulk"
    /// The items of one customer, by the index.
    case queryEqual = "query_indexed_eq"
    /// About 1,000 items, by the index of their dates.
    case queryRange = "query_range"
    /// How many items meet two conditions that no index knows.
    case queryScanFilter = "query_scan_filter"
    /// The whole directory, closed and, where the peer can, compacted. Nothing is timed.
    case disk
    /// The part of it that holds the objects; measured together with ``disk``.
    case diskLog = "disk_log"

    /// What it needs to begin with.
    enum Base {
        /// An empty directory, which afterwards serves the others.
        case empty
        /// A copy of the filled directory, for it is changed.
        case copy
        /// The filled directory itself.
        case filled
        /// The same two, with items that are related to their customers.
        case emptyRelated
        case filledRelated
        /// The same two, with indexes.
        case emptyIndexed
        case filledIndexed

        /// What the names of its directories end in.
        var suffix: String {
            switch self {
            case .empty, .copy, .filled: ""
            case .emptyRelated, .filledRelated: "-related"
            case .emptyIndexed, .filledIndexed: "-indexed"
            }
        }

        /// Whether the filled directory is used as it is.
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
        case .putSingleDurable, .putSingleRelaxed, .updateBulk, .removeBulk, .disk, .diskLog: .copy
        case .getRandom, .getRandomTwoThreads, .scanAll, .openWarm, .openCold: .filled
        }
    }

    /// Whether what another operation needs to begin with is what this one leaves.
    func isBase(of other: Operation) -> Bool {
        switch other.base {
        case .emptyRelated, .filledRelated: self == .relateBulk
        case .emptyIndexed, .filledIndexed: self == .indexBulk
        case .empty, .copy, .filled: self == .putBulk
        }
    }

    /// Whether the processor decides, so that its time says more than the wall's on a shared
    /// machine.
    var isBoundByProcessor: Bool {
        switch self {
        case .getRandom, .getRandomTwoThreads, .scanAll, .traverse, .queryEqual, .queryRange: true
        default: false
        }
    }

    /// Whether it is a size and not a time.
    var isSize: Bool { self == .disk || self == .diskLog }

    /// The unit of the table, and how many of it a second has.
    var unit: (name: String, perSecond: Double) {
        switch self {
        case .scanAll: ("ns/object", 1e9)
        case .openWarm, .openCold: ("ms", 1e3)
        case .queryEqual, .queryRange: ("µs/query", 1e6)
        case .queryScanFilter: ("ms/query", 1e3)
        case .disk, .diskLog: ("MiB", 1)
        case .getRandom, .getRandomTwoThreads: ("µs/get", 1e6)
        case .putSingleDurable, .putSingleRelaxed: ("µs/commit", 1e6)
        case .putBulk, .updateBulk, .removeBulk, .relateBulk, .traverse, .indexBulk:
            ("µs/object", 1e6)
        }
    }
}
