import Daybook
import Foundation

/// The command line: see `usage`.
@main struct TimeMachineCommand {
    static let usage = """
        usage: time-machine write WIKI AUTHOR TITLE TEXT  write a page, anew or again
               time-machine remove WIKI AUTHOR TITLE      remove a page
               time-machine show WIKI [MOMENT]            all pages, as they are or were
               time-machine story WIKI ID                 what became of a page, newest first
               time-machine changes WIKI MOMENT           what is different since
               time-machine undo WIKI AUTHOR [COMMIT]     take back a commit, or the author's last

        MOMENT is the number of a commit, `yesterday`, or a time like 2026-11-21T10:00:00Z.
        """

    static func main() {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            for line in try run(arguments) { print(line) }
        } catch {
            FileHandle.standardError.write(Data("time-machine: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Runs the command that the arguments name. Returns the lines to print.
    static func run(_ arguments: [String]) throws -> [String] {
        guard arguments.count >= 2 else { throw TimeMachineError(description: usage) }
        let wiki = try Wiki(path: arguments[1])
        defer { try? wiki.store.close() }
        let rest = Array(arguments.dropFirst(2))
        switch (arguments[0], rest.count) {
        case ("write", 3):
            try wiki.write(rest[1], rest[2], by: rest[0])
            return ["commit \(try wiki.store.sequence)"]
        case ("remove", 2):
            return [try wiki.remove(rest[1], by: rest[0]) ? "removed" : "there is no such page"]
        case ("show", 0...1):
            return try wiki.all(at: rest.first.map(moment)).map {
                "\($0.id)  \($0.title): \($0.text)"
            }
        case ("story", 1):
            guard let id = Id(rest[0]) else { throw TimeMachineError(description: usage) }
            return try wiki.story(of: id)
        case ("changes", 1):
            return try wiki.changes(since: moment(rest[0]))
        case ("undo", 1):
            return [try wiki.undoLast(by: rest[0])]
        case ("undo", 2):
            guard let commit = UInt64(rest[1]) else { throw TimeMachineError(description: usage) }
            return [try wiki.undo(commit, by: rest[0])]
        default:
            throw TimeMachineError(description: usage)
        }
    }

    /// Parses a sequence, an ISO 8601 date, or `yesterday`.
    static func moment(_ text: String) throws -> HistoryMoment {
        if let sequence = UInt64(text) { return .sequence(sequence) }
        if text == "yesterday" { return .date(Date(timeIntervalSinceNow: -86_400)) }
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw TimeMachineError(description: "'\(text)' is no moment.\n\(usage)")
        }
        return .date(date)
    }
}

/// An error of the sample itself, with a message for the user.
struct TimeMachineError: Error, CustomStringConvertible {
    var description: String
}
