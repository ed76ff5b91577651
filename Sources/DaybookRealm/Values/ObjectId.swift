#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import Daybook
import Synchronization

/// A 12-byte id that needs no central authority: seconds since 1970, five random bytes of the
/// process, and a counter.
///
/// The ids of one process are unique for up to eight million ids per second, and ordered by the
/// second of their creation. An id is stored as its 24 hexadecimal digits.
public struct ObjectId: Hashable, Sendable {
    /// The first eight bytes: four bytes of the time and four random bytes.
    private let high: UInt64
    /// The last four bytes: one random byte and three bytes of the counter.
    private let low: UInt32

    static let digitCount = 24
    static let zero = ObjectId(high: 0, low: 0)

    private init(high: UInt64, low: UInt32) {
        self.high = high
        self.low = low
    }

    /// Creates a new id.
    public init() { self.init(at: Date()) }

    /// Returns a new id.
    public static func generate() -> ObjectId { ObjectId() }

    init(at date: Date) {
        let seconds = UInt32(truncatingIfNeeded: Int64(date.timeIntervalSince1970))
        let counter = Self.counter.add(1, ordering: .relaxed).oldValue & 0xFF_FFFF
        self.init(
            high: UInt64(seconds) << 32 | UInt64(Self.processBytes.high),
            low: UInt32(Self.processBytes.low) << 24 | counter)
    }

    /// Parses 24 hexadecimal digits. Throws `.invalidArgument` for any other string.
    public init(string: String) throws {
        guard let id = ObjectId(string) else {
            throw DaybookError(
                .invalidArgument,
                "'\(string.prefix(50))' is not an ObjectId: an ObjectId has 24 hexadecimal digits.",
                details: ["value": String(string.prefix(50))])
        }
        self = id
    }

    /// The creation time of the id, to the second.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(high >> 32)) }

    /// The 24 hexadecimal digits.
    public var stringValue: String { description }

    private static let processBytes = (
        high: UInt32.random(in: 0...UInt32.max), low: UInt8.random(in: 0...UInt8.max)
    )
    /// Starts in the lower half of its range, so that it does not wrap around soon.
    private static let counter = Atomic<UInt32>(.random(in: 0..<0x80_0000))
}

extension ObjectId: LosslessStringConvertible {
    /// Parses 24 hexadecimal digits; nil for any other string.
    public init?(_ description: String) {
        guard description.utf8.count == Self.digitCount else { return nil }
        var nibbles: [UInt8] = []
        for byte in description.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nibbles.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                nibbles.append(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                nibbles.append(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        self.init(
            high: nibbles[..<16].reduce(0) { $0 << 4 | UInt64($1) },
            low: nibbles[16...].reduce(0) { $0 << 4 | UInt32($1) })
    }

    /// The 24 hexadecimal digits, in lower case.
    public var description: String {
        let text = String(high, radix: 16)
        let rest = String(low, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
            + String(repeating: "0", count: 8 - rest.count) + rest
    }
}

extension ObjectId: Comparable {
    /// Compares the bytes of two ids. Ids are therefore ordered by time first.
    public static func < (one: ObjectId, other: ObjectId) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}

extension ObjectId: Codable {
    /// Reads the 24 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ObjectId(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text.prefix(50))' is no ObjectId.")
        }
        self = id
    }

    /// Writes the 24 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ObjectId: PersistedDefault {
    /// Returns a new id.
    public static func makePersistedDefault() -> ObjectId { ObjectId() }
}
