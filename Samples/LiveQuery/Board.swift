import Daybook
import Foundation

/// The contents of the board, and the change of each line since the last update.
struct Board {
    /// The mark of a changed line.
    enum Mark: String {
        case none = " "
        case new = "+"
        case changed = "*"
        case moved = "~"
    }

    private(set) var rows: [(mark: Mark, train: Train)] = []
    /// A summary of the last update, in numbers.
    private(set) var news = ""

    /// Applies an update, using only the indices of its change set.
    mutating func show(_ update: QueryUpdate<Train>) {
        switch update {
        case .initial(let trains):
            rows = trains.map { (mark: .none, train: $0) }
            news = "\(trains.count) trains"
        case .update(let changes):
            // The mark of each train in the new result, from the change set alone.
            var marks = [Mark](repeating: .none, count: changes.objects.count)
            let changed = Set(changes.modifications.map { rows[$0].train.id })
            for (place, train) in changes.objects.enumerated() where changed.contains(train.id) {
                marks[place] = .changed
            }
            for move in changes.moves { marks[move.to] = .moved }
            for place in changes.insertions { marks[place] = .new }
            rows = zip(marks, changes.objects).map { (mark: $0, train: $1) }
            news =
                "\(changes.insertions.count) new, \(changes.deletions.count) gone,"
                + " \(changes.modifications.count) changed, \(changes.moves.count) moved"
        }
    }

    /// Returns the lines of the board.
    func lines(in timeZone: TimeZone = .current) -> [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let head = "  Time   Train     To         Platform  Expected"
        return [head] + rows.map { Self.line($0.mark, $0.train, calendar) } + ["", news]
    }

    private static func line(_ mark: Mark, _ train: Train, _ calendar: Calendar) -> String {
        let expected =
            train.delayMinutes == 0
            ? "" : "\(time(train.expected, calendar)) (+\(train.delayMinutes))"
        let cells = [
            filled(time(train.departure, calendar), 6), filled(train.number, 9),
            filled(train.destination, 10), filled(String(train.platform), 9), expected,
        ]
        let line = "\(mark.rawValue) " + cells.joined(separator: " ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func filled(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func time(_ date: Date, _ calendar: Calendar) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let digits = [parts.hour ?? 0, parts.minute ?? 0].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits.joined(separator: ":")
    }
}
