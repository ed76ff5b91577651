/// The parsed command line.
struct Arguments {
    var sizes = [100_000]
    var peers = PeerName.allCases
    var operations = Operation.allCases
    var repetitions = 3
    /// The folder for databases; by default a new folder in the system's temporary directory.
    var directory: String?
    /// A file that receives every JSON line in addition to standard output.
    var output: String?
    /// The file of ``RunResults``: `compare` writes it, and `chart` reads it.
    var results: String?
    /// The file of the chart.
    var chart = "../../Sources/Daybook/Daybook.docc/Resources/benchmarks.svg"
    var keepsDatabases = false
    /// The cache of Daybook, in MiB; nil for the default of the store.
    var cacheMebibytes: Int?
    /// The index pages that Daybook keeps in memory, in MiB; nil for the default of the store.
    var indexMebibytes: Int?
    /// The duration of `mixed`.
    var minutes = 60
    /// Whether Daybook's filled database is compacted before the operations that use it.
    var compactsFilled = false

    /// The use of the file with the counts of `counters`.
    var record: Record?

    enum Record {
        /// Compares the counts with those in the file.
        case check(String)
        case write(String)
    }

    /// The options for Daybook's store, as words of a command line.
    var storeWords: [String] {
        (cacheMebibytes.map { ["--cache-mib", "\($0)"] } ?? [])
            + (indexMebibytes.map { ["--index-mib", "\($0)"] } ?? [])
    }

    init() {}

    /// Parses words. Options that are not given are those of `defaults`.
    init(_ words: some Sequence<String>, defaults: Arguments = Arguments()) throws {
        self = defaults
        var rest = words.makeIterator()
        while let word = rest.next() {
            func value() throws -> String {
                guard let value = rest.next() else { throw BenchmarkError("\(word) needs a value") }
                return value
            }
            switch word {
            case "--n": sizes = try Self.list(try value(), word, Int.init)
            case "--peers": peers = try Self.list(try value(), word, PeerName.init)
            case "--ops": operations = try Self.list(try value(), word, Operation.init)
            case "--reps": repetitions = try Self.list(try value(), word, Int.init)[0]
            case "--dir": directory = try value()
            case "--out": output = try value()
            case "--json": results = try value()
            case "--svg": chart = try value()
            case "--cache-mib": cacheMebibytes = try Self.list(try value(), word, Int.init)[0]
            case "--index-mib": indexMebibytes = try Self.list(try value(), word, Int.init)[0]
            case "--minutes": minutes = try Self.list(try value(), word, Int.init)[0]
            case "--check": record = .check(try value())
            case "--record": record = .write(try value())
            case "--keep": keepsDatabases = true
            default: throw BenchmarkError("unknown argument \(word)")
            }
        }
    }

    /// The defaults of `grow`: the main operations at three sizes, once, with Daybook's database
    /// compacted, so that reads beyond the cache read compressed blocks.
    static var growth: Arguments {
        var arguments = Arguments()
        arguments.sizes = [100_000, 1_000_000, 10_000_000]
        arguments.peers = PeerName.allCases.filter { !$0.isProbe }
        arguments.operations = [
            .putBulk, .indexBulk, .getRandom, .updateBulk, .updateWritten, .queryEqual, .scanAll,
            .disk,
        ]
        arguments.repetitions = 1
        arguments.compactsFilled = true
        return arguments
    }

    /// The defaults of `counters`. The workload under callgrind takes fifty times as long.
    static var counters: Arguments {
        var arguments = Arguments()
        arguments.sizes = [20_000]
        arguments.peers = PeerName.allCases.filter { !$0.isProbe }
        arguments.operations = Operation.counted
        return arguments
    }

    private static func list<Item>(
        _ text: String, _ word: String, _ make: (String) -> Item?
    ) throws -> [Item] {
        let items = try text.split(separator: ",").map { part in
            guard let item = make(String(part)) else {
                throw BenchmarkError("\(word): there is no '\(part)'")
            }
            return item
        }
        guard !items.isEmpty else { throw BenchmarkError("\(word) needs a value") }
        return items
    }
}
