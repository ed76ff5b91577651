import DaybookBytes
import DaybookEngine
import DaybookRecords

// Predicates on the stored bytes of variable-width fields.

/// The position of a field, and the result of a test if the field is null.
struct VariableField {
    let place: Int
    /// The column with the first bytes of the field.
    let headColumn: RowColumn
    private let nullByte: Int
    private let nullBit: UInt8
    let isTrueOfNull: Bool

    init(_ place: FieldPlace, isTrueOfNull: Bool) {
        self.place = place.place
        headColumn = .head(place: place.place, field: place.field)
        nullByte = 1 + place.field / 8
        nullBit = 1 << UInt8(place.field % 8)
        self.isTrueOfNull = isTrueOfNull
    }

    @inline(__always)
    func isNull(_ row: borrowing RowParts) -> Bool { row.bytes[nullByte] & nullBit != 0 }
}

/// A test of a string or of bytes.
final class BytesTest: RowPredicate {
    /// The test of the stored or folded bytes.
    enum Kind {
        case equal([UInt8])
        /// By length, which rules out most candidates.
        case oneOf([Int: Set<[UInt8]>])
        case range(BytesRange)
        case matching(TextMatcher)

        /// Whether the bytes are one of several constants.
        static func anyOf(_ wanted: [[UInt8]]) -> Kind {
            .oneOf(Dictionary(grouping: wanted, by: \.count).mapValues { Set($0) })
        }

        @inline(__always)
        func isTrue(of bytes: Span<UInt8>) -> Bool {
            switch self {
            case .equal(let wanted): bytes.isEqual(to: wanted)
            case .oneOf(let wanted): wanted[bytes.count]?.contains(bytes.array) ?? false
            case .range(let range): range.contains(bytes)
            case .matching(let matcher): matcher.isTrue(of: bytes)
            }
        }
    }

    private let field: VariableField
    /// The folding of the strings before the test.
    private let options: StringOptions
    private let kind: Kind
    /// The buffer in which strings are folded.
    private var memory: [UInt8] = []

    init(_ field: VariableField, _ kind: Kind, folding options: StringOptions = []) {
        self.field = field
        self.options = options
        self.kind = kind
    }

    override var cost: Int {
        guard options.isEmpty else { return 60 }
        return switch kind {
        case .equal: 4
        case .range: 6
        case .oneOf, .matching: 40
        }
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        if field.isNull(row) { return field.isTrueOfNull }
        let bytes = try row.variable(field.place)
        return options.isEmpty ? kind.isTrue(of: bytes) : isTrue(ofFolded: bytes)
    }

    private func isTrue(ofFolded text: Span<UInt8>) -> Bool {
        var folded: [UInt8] = []
        swap(&folded, &memory)
        defer { swap(&folded, &memory) }
        folded.removeAll(keepingCapacity: true)
        options.fold(text, into: &folded)
        return kind.isTrue(of: folded.span)
    }
}

/// Whether a string has a prefix.
final class PrefixTest: RowPredicate {
    private let field: VariableField
    private let prefix: [UInt8]
    /// The first eight bytes at most, and the mask of their bits in a word.
    private let head: UInt64
    private let mask: UInt64

    init(_ field: VariableField, _ prefix: [UInt8]) {
        self.field = field
        self.prefix = prefix
        head = prefix.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        mask = prefix.count >= 8 ? .max : 1 << UInt64(8 * prefix.count) - 1
    }

    override var cost: Int { 4 }

    /// Strings shorter than eight bytes are padded with zeros, and null is all zeros. So the prefix
    /// must not be empty and must not contain a zero byte.
    override var columnFilter: ColumnFilter? {
        guard !prefix.isEmpty, prefix.count <= 8, !prefix.contains(0), !field.isTrueOfNull else {
            return nil
        }
        return .test(FieldColumnPredicate(field.headColumn, .bits(mask: mask, head)))
    }

    override func isTrue(
        _ row: borrowing RowParts, _ id: UInt64
    ) throws(DaybookError) -> Bool {
        try isTrue(row)
    }

    @inline(__always)
    private func isTrue(_ row: borrowing RowParts) throws(DaybookError) -> Bool {
        if field.isNull(row) { return field.isTrueOfNull }
        let text = try row.variable(field.place)
        if let word = text.loadLittleEndian(UInt64.self, at: 0) {
            guard word & mask == head else { return false }
            return prefix.count <= 8 || text.has(prefix, at: 0)
        }
        return text.has(prefix, at: 0)
    }

    override func select(
        _ batch: borrowing RowBatch, _ shape: RowShape, _ rows: inout RowSelection
    ) throws(DaybookError) {
        try rows.keep(batch, shape) { (row, _) throws(DaybookError) in try isTrue(row) ? 1 : 0 }
    }
}

/// A range of bytes in lexicographic order.
struct BytesRange: Sendable {
    private let lower: [UInt8]?
    private let includesLower: Bool
    private let upper: [UInt8]?
    private let includesUpper: Bool

    /// Returns nil if a bound is neither a string nor bytes.
    init?(_ lower: QueryBound?, _ upper: QueryBound?) {
        self.lower = lower?.value.plainBytes
        self.upper = upper?.value.plainBytes
        includesLower = lower?.isInclusive ?? true
        includesUpper = upper?.isInclusive ?? true
        if lower != nil, self.lower == nil { return nil }
        if upper != nil, self.upper == nil { return nil }
    }

    func contains(_ bytes: Span<UInt8>) -> Bool {
        if let lower {
            let order = ValueOrder(bytes, lower.span)
            guard order == .behind || order == .equal && includesLower else { return false }
        }
        guard let upper else { return true }
        let order = ValueOrder(bytes, upper.span)
        return order == .before || order == .equal && includesUpper
    }
}

extension QueryValue {
    /// The stored bytes of a string, bytes, a UUID or a value that is compared as a whole; nil for
    /// others.
    var plainBytes: [UInt8]? {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes), .uuid(let bytes), .stored(let bytes): bytes
        default: nil
        }
    }
}

extension StringOptions {
    /// Appends a folded UTF-8 string.
    func fold(_ text: Span<UInt8>, into folded: inout [UInt8]) {
        TextFolding.fold(
            text, ignoresCase: contains(.caseInsensitive),
            ignoresDiacritics: contains(.diacriticInsensitive), into: &folded)
    }
}
