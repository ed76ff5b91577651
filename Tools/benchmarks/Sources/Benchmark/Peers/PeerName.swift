/// The available peers.
enum PeerName: String, CaseIterable {
    case daybook
    case lmdb
    case sqlite
    /// No database: the minimum cost of a durable write.
    case disk
    case diskGrowing = "disk-growing"

    /// Whether the peer is a lower bound instead of a database.
    var isProbe: Bool { self == .disk || self == .diskGrowing }

    /// The name in the table of the guides and in the chart.
    var title: String {
        switch self {
        case .daybook: "Daybook"
        case .lmdb: "LMDB"
        case .sqlite: "SQLite"
        case .disk, .diskGrowing: rawValue
        }
    }

    func runs(_ operation: Operation) -> Bool { !isProbe || operation.load(n: 0) != nil }

    func measure(_ operation: Operation, n: Int, directory: String) throws -> ResultLine {
        switch self {
        case .daybook:
            try Measurement<DaybookPeer>(operation, of: rawValue, n: n, directory: directory).run()
        case .lmdb:
            try Measurement<LMDBPeer>(operation, of: rawValue, n: n, directory: directory).run()
        case .sqlite:
            try Measurement<SQLitePeer>(operation, of: rawValue, n: n, directory: directory).run()
        case .disk: try DiskProbe(operation: operation, n: n, directory: directory).run(.sizedAhead)
        case .diskGrowing:
            try DiskProbe(operation: operation, n: n, directory: directory).run(.growing)
        }
    }
}
