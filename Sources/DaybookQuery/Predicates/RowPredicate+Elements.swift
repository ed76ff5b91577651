import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Evaluates a condition on an element, as the only field of a row.
final class ElementJudge {
    private let condition: BoundCondition
    private let property: QueryProperty
    private let ofKeys: Bool
    private let access: QueryAccess
    private var compiled: [FieldType: CompiledPredicate] = [:]

    init(
        _ condition: BoundCondition, _ property: QueryProperty, ofKeys: Bool,
        _ access: QueryAccess
    ) {
        self.condition = condition
        self.property = property
        self.ofKeys = ofKeys
        self.access = access
    }

    func isTrueOfAny(_ bytes: Span<UInt8>, isMap: Bool) throws(DaybookError) -> Bool {
        var list = try ValueList(bytes, isMap: isMap)
        let test = try test(of: ofKeys ? .string : list.elementType, isEmpty: list.count == 0)
        var row = ByteWriter(capacity: 64)
        for _ in 0..<list.count {
            let element =
                ofKeys
                ? .value(try list.nextKey(in: bytes)) : try list.next(in: bytes) ?? .null
            row.removeAll()
            Self.write(element, of: ofKeys ? .string : list.elementType, bytes, to: &row)
            if try test.isTrue(row.span, 0) { return true }
        }
        return false
    }

    private func test(
        of type: FieldType, isEmpty: Bool
    ) throws(DaybookError) -> CompiledPredicate {
        if let known = compiled[type] { return known }
        let shape = ofKeys ? ValueShape(.string) : try property.elementShape(type, isEmpty: isEmpty)
        let layout = RowLayout.element(shape)
        let made = CompiledPredicate(RowCompiler(access, layout).test(condition), layout)
        compiled[type] = made
        return made
    }

    /// Writes an element as the only field of a row.
    private static func write(
        _ element: ValueList.Element, of type: FieldType, _ bytes: Span<UInt8>,
        to row: inout ByteWriter
    ) {
        var value = bytes.extracting(0..<0)
        var isNull = true
        if case .value(let range) = element {
            value = bytes.extracting(range)
            isNull = false
        }
        let isWide = type.fixedWidthBytes == nil && value.count > RowFormat.narrowLengthMax
        row.uint8(isWide ? RowFormat.headerIsWide : 0)
        row.uint8(isNull ? 1 : 0)
        if let width = type.fixedWidthBytes {
            if isNull { return row.zeros(width) }
        } else if isWide {
            row.uint32(UInt32(truncatingIfNeeded: value.count))
        } else {
            row.uint16(UInt16(truncatingIfNeeded: value.count))
        }
        row.append(value)
    }
}

extension QueryProperty {
    /// The shape of elements with a stored type. Throws `.schemaMismatch` if that type does not
    /// convert to the declared one.
    func elementShape(
        _ type: FieldType, isEmpty: Bool = false
    ) throws(DaybookError) -> ValueShape {
        let declared = shape.element ?? ValueShape(.bytes)
        guard type != declared.type else { return declared }
        let stored = ValueShape(type, isOptional: declared.isOptional)
        guard isEmpty || stored.conversion(to: declared) != nil else {
            throw DaybookError(
                .schemaMismatch,
                "The collection '\(name)' has elements of type \(type.name), but"
                    + " \(declared.type.name) is declared. Declare the stored type, or give the"
                    + " new property a new name.",
                details: ["property": name, "stored": type.name])
        }
        return stored
    }
}
