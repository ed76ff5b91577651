import Foundation

/// The work of one measured operation, counted by callgrind in the thread that calls it. The counts
/// depend little on the machine and its load.
struct Counters: Codable, Equatable {
    /// Machine instructions outside the kernel.
    var instructions: Double
    /// Calls of the C library's allocation functions.
    var allocations: Double
    var systemCalls: Double

    /// The functions that allocate memory.
    private static let allocating: Set<Substring> = [
        "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memalign",
    ]

    /// Adds the counts in the output files of callgrind, one for each measured part, and divides
    /// them by the number of operations.
    init(callgrindOutputs texts: [String], operationCount: Int) throws {
        instructions = 0
        allocations = 0
        systemCalls = 0
        for text in texts { add(callgrindOutput: text) }
        guard instructions > 0 else { throw BenchmarkError("callgrind counted nothing") }
        let count = Double(max(operationCount, 1))
        instructions /= count
        allocations /= count
        systemCalls /= count
    }

    /// Adds the counts of one file. The format is that of callgrind's manual: lines `key: value`,
    /// and calls of functions, whose names are written once and then replaced by their numbers.
    private mutating func add(callgrindOutput text: String) {
        var events: [Substring] = []
        var names: [Substring: Substring] = [:]
        var called: Substring = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("events:") {
                events = line.dropFirst("events:".count).split(separator: " ")
            } else if line.hasPrefix("summary:") {
                let counts = line.dropFirst("summary:".count).split(separator: " ")
                for (event, count) in zip(events, counts) {
                    if event == "Ir" { instructions += Double(count) ?? 0 }
                    if event == "sysCount" { systemCalls += Double(count) ?? 0 }
                }
            } else if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                let name = Self.name(line, &names)
                if line.hasPrefix("c") { called = name }
            } else if line.hasPrefix("calls="), Self.allocating.contains(called) {
                let count = line.dropFirst("calls=".count).prefix { $0 != " " }
                allocations += Double(count) ?? 0
            }
        }
    }

    /// The function in `fn=(7) name` or, after the first time, `fn=(7)`.
    private static func name(_ line: Substring, _ names: inout [Substring: Substring]) -> Substring
    {
        let text = line.drop { $0 != "(" }
        let end = text.firstIndex(of: ")") ?? text.startIndex
        let number = text[..<end]
        let name = text[end...].dropFirst(2)
        if !name.isEmpty { names[number] = name.prefix { $0 != "@" && $0 != "'" } }
        return names[number] ?? ""
    }
}
