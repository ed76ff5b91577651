public import Foundation

/// Values without literals.
public enum MatrixConstants {
    /// The value that a missing one is read as.
    public static var zeroUUID: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    /// A placeholder URL.
    public static var nowhere: URL { URL(fileURLWithPath: "/") }
}

/// The values that are put.
public enum MatrixSamples<Place: PlaceValue> {
    public static var uuid: UUID {
        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }
    public static var decimal: Decimal { Decimal(sign: .minus, exponent: -3, significand: 12_345) }
    public static var url: URL { URL(fileURLWithPath: "/tmp/x y") }
    public static var exact: Date { Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7) }
    public static var place: Place {
        var place = Place()
        place.city = "Zürich"
        place.height = 408.5
        return place
    }
    public static var extra: Extra {
        var extra = Extra()
        extra.words = ["a", ""]
        extra.inner = ["k": [1, nil]]
        return extra
    }
}
