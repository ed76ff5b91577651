import Daybook
import Foundation

/// A train on the departure board of a station.
struct Train {
    var id: Id = 0
    /// The train number, such as `IC 512`.
    var number: String
    var destination: String
    var departure: Date
    var platform: Int
    var delayMinutes = 0

    /// The expected departure time, which determines the order on the board.
    var expected: Date
}

extension Train {
    /// Creates a train that is on time.
    init(number: String, destination: String, departure: Date, platform: Int) {
        self.init(
            number: number, destination: destination, departure: departure, platform: platform,
            expected: departure)
    }

    /// Returns the train delayed by a number of minutes.
    func delayed(byMinutes minutes: Int) -> Train {
        var train = self
        train.delayMinutes += minutes
        train.expected = departure.addingTimeInterval(Double(train.delayMinutes) * 60)
        return train
    }
}

extension Train: Entity {
    static let entityDescription = EntityDescription(
        "Train",
        [
            .property("number", String.self, .primaryKey),
            .property("destination", String.self),
            .property("departure", Date.self),
            .property("platform", Int.self),
            .property("delayMinutes", Int.self),
            .property("expected", Date.self, .index),
        ])

    static let expected = Property<Train, Date>("expected")

    static func decode(_ row: borrowing RowReader) throws -> Train {
        Train(
            id: row.id, number: try row.read(0), destination: try row.read(1),
            departure: try row.read(2), platform: try row.read(3), delayMinutes: try row.read(4),
            expected: try row.read(5))
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(number, at: 0)
        try row.write(destination, at: 1)
        try row.write(departure, at: 2)
        try row.write(platform, at: 3)
        try row.write(delayMinutes, at: 4)
        try row.write(expected, at: 5)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
