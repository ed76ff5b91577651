import DaybookBytes
import DaybookQuery

/// New values of a parameter.
enum QueryParameterValues {
    case one(QueryValue)
    case two(QueryValue, QueryValue)
    case list([QueryValue])
    case near(Double, tolerance: Double)
    /// The vector of a search for nearest neighbours.
    case vector([Float])
    /// The number of objects of such a search.
    case neighborCount(Int)

    /// Returns the condition with these values. Throws `.invalidArgument` if it takes another
    /// number or type of values.
    func replaced(in condition: QueryCondition) throws(DaybookError) -> QueryCondition {
        switch (condition, self) {
        case (.compare(let subject, let comparison, _, let options), .one(let value)):
            return .compare(subject, comparison, .value(value), options)
        case (.text(let subject, let test, _, let options), .one(.text(let text))):
            return .text(subject, test, .value(.text(text)), options)
        case (.matches(let path, _, let test), .one(.text(let text))):
            return .matches(path, text, test)
        case (.range(let subject, let lower, let upper), .two(let one, let other)):
            // The inclusiveness of each bound is kept, in whichever order the values are passed.
            let (least, most) = one.isGreater(than: other) ? (other, one) : (one, other)
            return .range(
                subject, lower: QueryBound(least, isInclusive: lower?.isInclusive ?? true),
                upper: QueryBound(most, isInclusive: upper?.isInclusive ?? true))
        case (.oneOf(let subject, _, let options), .list(let values)):
            return .oneOf(subject, values, options)
        case (.near(let subject, _, _), .near(let value, let tolerance)):
            return .near(subject, value, tolerance: tolerance)
        case (.nearest(let path, _, let count), .vector(let vector)):
            return .nearest(path, vector, count: count)
        case (.nearest(let path, let vector, _), .neighborCount(let count)):
            return .nearest(path, vector, count: count)
        default: throw misfit(condition)
        }
    }

    private func misfit(_ condition: QueryCondition) -> DaybookError {
        let wanted =
            switch condition {
            case .range: "two values: setting(_:to:_:)"
            case .oneOf: "several values: setting(_:toOneOf:)"
            case .near: "a number and a tolerance: setting(_:toEqual:tolerance:)"
            case .text, .matches: "one text: setting(_:to:)"
            case .nearest: "a vector or a number: setting(_:nearestTo:), setting(_:nearestCount:)"
            default: "one value: setting(_:to:)"
            }
        return DaybookError(
            .invalidArgument, "The parameter of this condition is \(wanted).")
    }
}
