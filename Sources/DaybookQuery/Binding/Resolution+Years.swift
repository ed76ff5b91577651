import DaybookRecords

extension BoundExpression {
    /// A condition on the date itself that is true for all objects whose year has some bounds, and
    /// for few others. Indexes can serve it. Nil if the expression is not the year of a property,
    /// or if the bounds are no usual years.
    func dateCondition(_ lower: QueryBound?, _ upper: QueryBound?) -> BoundCondition? {
        guard case .function(.part(.year, _), let arguments) = self,
            case .column(let column)? = arguments.first
        else { return nil }
        var bounds: [QueryBound?] = []
        for (bound, isLower) in [(lower, true), (upper, false)] {
            guard let bound else {
                bounds.append(nil)
                continue
            }
            guard case .integer(let year) = bound.value, abs(year) < 100_000 else { return nil }
            bounds.append(
                QueryBound(
                    .moment(Self.start(ofYear: isLower ? year : year + 1, isLower: isLower)),
                    isInclusive: true))
        }
        return ValueFit(column.type).range(bounds[0], bounds[1]).condition(on: column, [])
    }

    /// The beginning of a year in UTC, moved by two days, which is more than any difference of a
    /// time zone.
    private static func start(ofYear year: Int128, isLower: Bool) -> Int128 {
        let before = year - 1
        let leapDays =
            before.flooredQuotient(by: 4) - before.flooredQuotient(by: 100)
            + before.flooredQuotient(by: 400)
        // The days from the year 1 to 1970.
        let day = 365 * before + leapDays - 719_162
        return (day + (isLower ? -2 : 2)) * 86_400 * 1_000_000_000
    }
}
