@testable import LiveQuery
import Daybook
import Foundation
import Testing

@Suite struct BoardTests {
    private let noon = Date(timeIntervalSince1970: 43_200)

    private func filled(_ name: String) throws -> Store {
        let store = try LiveQueryCommand.open("memory:\(name)")
        let trains = (0..<4).map {
            Train(
                number: "IC \($0)", destination: "Ghent",
                departure: noon.addingTimeInterval(Double($0) * 600), platform: $0 + 1)
        }
        try store.box(for: Train.self).put(trains)
        return store
    }

    @Test func `the board is drawn only from change sets`() async throws {
        let store = try filled("board")
        let box = store.box(for: Train.self)
        let query = try box.query().ordered(by: Train.expected).build().limit(3)
        var updates = query.updates().makeAsyncIterator()
        var board = Board()
        let utc = try #require(TimeZone(identifier: "UTC"))

        board.show(try #require(try await updates.next()))
        #expect(board.lines(in: utc)[1] == "  12:00  IC 0      Ghent      1")
        #expect(board.lines(in: utc).last == "3 trains")

        // A delay of 15 minutes moves the train after the next one.
        var first = try #require(try await box.get(1)).delayed(byMinutes: 15)
        try await box.put(&first)
        board.show(try #require(try await updates.next()))
        #expect(board.rows.map(\.train.number) == ["IC 1", "IC 0", "IC 2"])
        #expect(board.rows.map(\.mark).contains(.moved))
        #expect(board.lines(in: utc).contains { $0.hasSuffix("12:15 (+15)") })

        // One train departs, and the fourth becomes visible.
        try await box.remove(2)
        board.show(try #require(try await updates.next()))
        #expect(board.rows.map(\.train.number) == ["IC 0", "IC 2", "IC 3"])
        #expect(board.rows.map(\.mark) == [.none, .none, .new])
        #expect(board.news == "1 new, 1 gone, 0 changed, 0 moved")

        var third = try #require(try await box.get(3))
        third.platform = 9
        try await box.put(&third)
        board.show(try #require(try await updates.next()))
        #expect(board.rows.map(\.mark) == [.none, .changed, .none])
        try await store.close()
    }

    @Test func `the board equals the result of the query after any changes`() async throws {
        let store = try filled("station")
        let query = try store.box(for: Train.self)
            .query().ordered(by: Train.expected).build().limit(10)
        var updates = query.updates().makeAsyncIterator()
        var board = Board()
        board.show(try #require(try await updates.next()))
        var timetable = Timetable(store)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<60 {
            let before = try await query.find().map(Self.text)
            try timetable.step(using: &generator)
            let after = try await query.find()
            if after.map(Self.text) != before {
                board.show(try #require(try await updates.next()))
            }
            #expect(board.rows.map { Self.text($0.train) } == after.map(Self.text))
        }
        try await store.close()
    }

    private static func text(_ train: Train) -> String {
        "\(train.id) \(train.number) \(train.platform) \(train.delayMinutes) \(train.expected)"
    }
}
