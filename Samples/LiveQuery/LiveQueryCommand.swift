import Daybook
import Foundation

/// The command line: see `usage`.
@main struct LiveQueryCommand {
    static let usage = """
        usage: live-query run STORE [COUNT]    a board, and a task of this process that writes
               live-query write STORE [COUNT]  only write: COUNT commits, or until interrupted
               live-query watch STORE [COUNT]  only a board, of what another process writes: COUNT
                                               updates, or until interrupted
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("live-query: \(error)\n".utf8))
            exit(1)
        }
    }

    static func run(_ arguments: [String]) async throws {
        guard (2...3).contains(arguments.count),
            let count = arguments.count == 2 ? .max : Int(arguments[2])
        else { throw LiveQueryError(description: usage) }
        switch arguments[0] {
        case "run":
            let store = try open(arguments[1])
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await write(count, to: store) }
                tasks.addTask { try await watch(store, updateCount: .max) }
                // When the writer ends, closing the store ends the board.
                try await tasks.next()
                try await store.close()
                try await tasks.waitForAll()
            }
        case "write":
            let store = try open(arguments[1])
            try await write(count, to: store)
            try await store.close()
        case "watch":
            let store = try open(arguments[1], isReadOnly: true)
            try await watch(store, updateCount: count)
            try await store.close()
        default: throw LiveQueryError(description: usage)
        }
    }

    static func open(_ path: String, isReadOnly: Bool = false) throws -> Store {
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        return try Store(directoryPath: path, entities: Train.self, options: options)
    }

    /// Commits a change a few times per second.
    static func write(_ count: Int, to store: Store) async throws {
        var timetable = Timetable(store)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<count {
            try timetable.step(using: &generator)
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...400)))
        }
    }

    /// Redraws the board after each change of the query's result: the next ten trains.
    static func watch(_ store: Store, updateCount: Int) async throws {
        let query = try store.box(for: Train.self)
            .query().ordered(by: Train.expected).build().limit(10)
        var board = Board()
        var count = 0
        for try await update in query.updates() {
            board.show(update)
            Screen.draw(board.lines())
            count += 1
            if count >= updateCount { break }
        }
    }
}

/// An error of the sample itself, with a message for the user.
struct LiveQueryError: Error, CustomStringConvertible {
    var description: String
}
