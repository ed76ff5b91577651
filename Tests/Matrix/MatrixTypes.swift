// DaybookMatrix: a model with a property of every type, written in every spelling, and what has to
// hold for all of them. It must not know which spelling it looks at.


/// An enum with raw values that says nothing about stores.
public enum Temper: String, Sendable, Hashable {
    case calm = "calm"
    case wild = "wild"
}

/// A type that only a converter knows.
public struct Angle: Hashable, Sendable {
    public var degrees: Double
    public init(degrees: Double) { self.degrees = degrees }
}

/// Angles as texts.
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

/// A type that is kept as JSON.
public struct Extra: Codable, Hashable, Sendable {
    public var words: [String] = []
    public var inner: [String: [Int?]] = [:]
    public init() {}
}
