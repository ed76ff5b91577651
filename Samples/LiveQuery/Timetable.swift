import Daybook
import Foundation

/// Simulates a station: trains are announced, delayed, moved to other platforms, and depart.
struct Timetable {
    private static let destinations = [
        "Ghent", "Basel", "Turin", "Leipzig", "Gdańsk", "Malmö", "Lyon", "Graz", "Porto", "Brno",
    ]
    private static let kinds = ["IC", "RE", "EC", "NJ"]

    let store: Store
    private var lastNumber = 100

    init(_ store: Store) { self.store = store }

    /// Announces `count` trains in one commit, one every seven minutes from `date` on.
    mutating func announce(
        _ count: Int, from date: Date, using generator: inout some RandomNumberGenerator
    ) throws {
        var trains: [Train] = []
        for index in 0..<count {
            lastNumber += Int.random(in: 1...9, using: &generator)
            let kind = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &generator)]
            let place = Int.random(in: 0..<Self.destinations.count, using: &generator)
            trains.append(
                Train(
                    number: "\(kind) \(lastNumber)", destination: Self.destinations[place],
                    departure: date.addingTimeInterval(Double(index) * 420),
                    platform: Int.random(in: 1...12, using: &generator)))
        }
        try store.box(for: Train.self).put(trains)
    }

    /// Changes one train in one commit. If no train is left, announces more.
    mutating func step(using generator: inout some RandomNumberGenerator) throws {
        let box = store.box(for: Train.self)
        let next = try box.query().ordered(by: Train.expected).build()
        guard let first = try next.findFirst() else {
            return try announce(8, from: .now, using: &generator)
        }
        let trains = try next.limit(6).find()
        var train = trains[Int.random(in: 0..<trains.count, using: &generator)]
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
            try box.remove(first.id)
        case 1:
            try announce(1, from: first.departure.addingTimeInterval(3_000), using: &generator)
        case 2:
            train.platform = train.platform % 12 + 1
            try box.put(&train)
        default:
            train = train.delayed(byMinutes: Int.random(in: 1...20, using: &generator))
            try box.put(&train)
        }
    }
}
