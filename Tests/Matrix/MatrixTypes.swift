// DaybookMatrix: a model with a property of every type, declared in every spelling, and the checks
// for all of them. It must not depend on a spelling.

/// An enum with raw values and without any conformance of Daybook.
public enum Temper: String, Sendable, Hashable {
    case calm = "calm"
    case wild = "wild"
}

/// A type that is stored only with a converter.
public struct Angle: Hashable, Sendable {
    public var degrees: Double
    public init(degrees: Double) { self.degrees = degrees }
}

/// Converts angles to strings.
public enum AngleConverter {
    public static func convert(_ angle: Angle?) -> String? { angle.map { "\($0.degrees)°" } }
    public static func convert(_ angle: Angle) -> String { "\(angle.degrees)°" }
    public static func convert(_ text: String?) -> Angle {
        Angle(degrees: text.flatMap { Double($0.dropLast()) } ?? 0)
    }
    public static func convert(_ text: String?) -> Angle? {
        text.flatMap { Double($0.dropLast()) }.map { Angle(degrees: $0) }
    }
}

/// A type that is stored as JSON.
public struct Extra: Codable, Hashable, Sendable {
    public var words: [String] = []
    public var inner: [String: [Int?]] = [:]
    public init() {}
}
