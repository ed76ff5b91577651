@testable import DaybookQuery
import Foundation

extension QueryFunction {
    /// Whether the function has two arguments.
    var isOfTwo: Bool {
        switch self {
        case .add, .subtract, .multiply: true
        case .length, .part: false
        }
    }

    /// The value of the function by Foundation's means. Numbers must be small.
    func plainValue(of arguments: [QueryValue]) -> QueryValue {
        switch (self, arguments.first, arguments.last) {
        case (.length, .text(let text)?, _): .integer(Int128(Array(text.unicodeScalars).count))
        case (.part(let part, let zone), .moment(let nanoseconds)?, _):
            .integer(Int128(part.plainValue(nanoseconds, in: zone)))
        case (.add, .text(let one)?, .text(let other)?): .text(one + other)
        case (_, .integer(let one)?, .integer(let other)?):
            .integer(Int128(calculated(Int64(one), Int64(other))))
        case (_, let one?, let other?):
            if let one = one.plainNumber, let other = other.plainNumber {
                .number(calculated(one, other))
            } else {
                .null
            }
        default: .null
        }
    }

    private func calculated<Number: Numeric>(_ one: Number, _ other: Number) -> Number {
        switch self {
        case .subtract: one - other
        case .multiply: one * other
        default: one + other
        }
    }
}

extension DatePart {
    func plainValue(_ nanoseconds: Int128, in zone: QueryZone) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: Int(zone.offset(0)))!
        let date = Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
        let component: Calendar.Component =
            switch self {
            case .year: .year
            case .month: .month
            case .day: .day
            case .weekday: .weekday
            case .hour: .hour
            }
        return calendar.component(component, from: date)
    }
}

extension QueryValue {
    fileprivate var plainNumber: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
