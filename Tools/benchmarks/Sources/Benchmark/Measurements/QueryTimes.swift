import Daybook
import Foundation

/// `benchmark queries --n 1000000`: measures queries that the comparison does not include.
struct QueryTimes {
    private static let putCount = 100_000
    private static let searchCount = 10_000

    let n: Int
    let directory: String

    func run() throws {
        let options = StoreOptions.measured
        let store = try Store(
            directoryPath: directory, entities: IndexedItem.self, options: options)
        let box: Box<IndexedItem> = store.box()
        try fill(box)
        try box.forEach { _ in }
        try ask(box)
        try searchAmongPuts(store, box)
        try store.close()
    }

    private func fill(_ box: Box<IndexedItem>) throws {
        let generator = ItemGenerator()
        for first in stride(from: 1, through: n, by: 10_000) {
            let numbers = first...min(first + 9_999, n)
            try box.put(numbers.map { IndexedItem(generator.item(UInt64($0))) })
        }
    }

    private func ask(_ box: Box<IndexedItem>) throws {
        let few = ItemGenerator.customerCount / 2
        let dates = (0..<10_000).map { ItemGenerator.firstDate + Int64($0 * 100_007 % (n * 1000)) }
        try time("count by an index", 1_000) { place in
            try box.query { $0.customerId == UInt64(place + 1) }.count()
        }
        try time("first 10 in the order of an index", 1_000) { _ in
            try box.query().ordered(by: \.date).limit(10).find().count
        }
        try time("first 10 in another order", 5) { _ in
            try box.query().ordered(by: \.i32).limit(10).find().count
        }
        try time("matches, no text index", 3) { _ in
            try box.query { $0.text.matches("abc*") }.count()
        }
        try time("in 5,000 values, indexed", 5) { _ in
            try box.query { $0.customerId.isIn(Array(1...few)) }.count()
        }
        try time("in 10,000 values, most of them nobody's", 5) { _ in
            try box.query { $0.date.isIn(dates) }.count()
        }
    }

    /// Runs queries within a transaction that contains many puts, and rolls it back.
    private func searchAmongPuts(_ store: Store, _ box: Box<IndexedItem>) throws {
        struct Enough: Error {}
        let generator = ItemGenerator()
        do {
            try store.write {
                let items = (1...Self.putCount).map {
                    IndexedItem(generator.item(UInt64(n + $0)))
                }
                try box.put(items)
                try time("findFirst behind \(Self.putCount) puts", Self.searchCount) { place in
                    try box.query { $0.date == items[place].date }.findFirst() == nil ? 0 : 1
                }
                try time("findFirst and put behind them", Self.searchCount) { place in
                    let item = IndexedItem(generator.item(UInt64(n + Self.putCount + place)))
                    try box.put(item)
                    return try box.query { $0.date == item.date }.findFirst() == nil ? 0 : 1
                }
                throw Enough()
            }
        } catch is Enough {}
    }

    private func time(_ name: String, _ count: Int, _ body: (Int) throws -> Int) throws {
        var stopwatch = Stopwatch()
        var found = 0
        try stopwatch.time { for place in 0..<count { found += try body(place) } }
        let microseconds = stopwatch.cpuSeconds / Double(count) * 1e6
        Output.line(
            "| \(name) | \(String(format: "%.1f", microseconds)) µs | \(found / count) found |")
    }
}
