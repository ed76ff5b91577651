import DaybookRecords

/// The values of a property's type between two constants.
struct FittedRange: Sendable {
    var lower: QueryBound?
    var upper: QueryBound?
    var isNever = false

    init(_ lower: QueryBound? = nil, _ upper: QueryBound? = nil) {
        self.lower = lower
        self.upper = upper
    }

    static var never: FittedRange {
        var range = FittedRange()
        range.isNever = true
        return range
    }

    mutating func add(_ bound: QueryBound, isLower: Bool) {
        if isLower { lower = bound } else { upper = bound }
    }

    /// Adds a bound of an integer range. A bound that all values of the type satisfy is dropped.
    mutating func add(
        _ whole: Whole, _ limits: ClosedRange<Int128>, _ isInclusive: Bool, isLower: Bool,
        _ type: FieldType
    ) {
        var isInclusive = isInclusive
        let number: Int128
        switch whole {
        case .exactly(let value): number = value
        case .above(let floor):
            number = isLower ? floor + 1 : floor
            isInclusive = true
        case .belowAll, .aboveAll:
            if case .aboveAll = whole, isLower { isNever = true }
            if case .belowAll = whole, !isLower { isNever = true }
            return
        case .nowhere:
            isNever = true
            return
        }
        let first = isLower ? limits.lowerBound : limits.upperBound
        let last = isLower ? limits.upperBound : limits.lowerBound
        if isLower ? number < first : number > first { return }
        if number == first, isInclusive { return }
        if isLower ? number > last : number < last { isNever = true }
        if number == last, !isInclusive { isNever = true }
        add(QueryBound(type.value(ofWhole: number), isInclusive: isInclusive), isLower: isLower)
    }

    mutating func addDecimal(_ bound: QueryBound, isLower: Bool) {
        if case .number(let number) = bound.value, number.isInfinite {
            if (number > 0) == isLower { isNever = true }
            return
        }
        guard let number = bound.value.exactNumber else {
            isNever = true
            return
        }
        add(QueryBound(.decimal(number.text), isInclusive: bound.isInclusive), isLower: isLower)
    }

    /// Whether the range contains no value.
    var isEmpty: Bool {
        guard !isNever else { return true }
        guard let lower, let upper else { return false }
        switch lower.value.order(to: upper.value) {
        case .before: return false
        case .equal: return !lower.isInclusive || !upper.isInclusive
        case .behind, .apart: return true
        }
    }

    func condition(on column: QueryColumn, _ options: StringOptions) -> BoundCondition {
        guard !isNever else { return .always(false) }
        guard lower != nil || upper != nil else {
            guard column.type == .decimal else { return .notNull(column) }
            // All decimals except NaN.
            let zero = QueryValue.decimal("0")
            return .disjunction([
                .column(column, .range(lower: nil, upper: QueryBound(zero, isInclusive: true))),
                .column(column, .range(lower: QueryBound(zero, isInclusive: false), upper: nil)),
            ])
        }
        guard options.isEmpty else {
            return .column(
                column,
                .foldedRange(
                    lower: lower?.folded(options), upper: upper?.folded(options), options))
        }
        if let lower, let upper, lower.value.order(to: upper.value) == .equal {
            return .column(column, .equal(lower.value))
        }
        return .column(column, .range(lower: lower, upper: upper))
    }

    /// The condition on ids, which are never null.
    var idCondition: BoundCondition {
        guard !isNever else { return .always(false) }
        var first: UInt64 = 0
        var last = UInt64.max
        if case .integer(let number)? = lower?.value, let id = UInt64(exactly: number) {
            first = lower?.isInclusive == true ? id : id &+ 1
        }
        if case .integer(let number)? = upper?.value, let id = UInt64(exactly: number) {
            last = upper?.isInclusive == true ? id : id &- 1
        }
        return first > last ? .always(false) : .idRange(first...last)
    }
}

extension QueryBound {
    func folded(_ options: StringOptions) -> QueryBound {
        QueryBound(value.folded(options), isInclusive: isInclusive)
    }
}

extension QueryValue {
    /// Folds a string by the options; other values are unchanged.
    func folded(_ options: StringOptions) -> QueryValue {
        guard case .text(let text) = self else { return self }
        return .text(options.fold(text))
    }

    /// The string; nil for other values.
    var asText: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension StringOptions {
    /// Folds a string by the options.
    func fold(_ text: String) -> String {
        guard !isEmpty else { return text }
        return TextFolding.fold(
            text, ignoresCase: contains(.caseInsensitive),
            ignoresDiacritics: contains(.diacriticInsensitive))
    }
}
