package import DaybookBytes

/// Converts rows of one layout to another layout of the same entity. Prepared once for two layouts;
/// copies are cheap.
///
/// Properties are matched by number. A property is null in the result if the old layout lacks it,
/// if it is null in the row, or if its type has no ``ValueShape/conversion(to:)``; *even if the new
/// layout does not declare it optional*, so that readers can distinguish a missing value from zero.
/// Embedded values and collections of them are copied, because each contains its layout number.
package struct RowTranslation: Sendable {
    /// A part of the new row's fixed-width fields, in order.
    private enum Piece: Sendable {
        case copy(from: Int, count: Int)
        case zeros(count: Int)
        case number(field: Int, ShapeConversion, count: Int)
    }

    /// A variable-width field of the new row.
    private struct Variable: Sendable {
        /// The index of the old field; nil if there is none.
        var source: Int?
        var conversion: ShapeConversion
    }

    /// The source and target layouts.
    package let old: RowLayout
    package let new: RowLayout
    /// Whether rows of the old layout are valid rows of the new one.
    package let isIdentity: Bool
    /// The old field's index for each new field; -1 for none.
    private let sources: [Int32]
    private let pieces: [Piece]
    private let variables: [Variable]

    package init(from old: RowLayout, to new: RowLayout) {
        self.old = old
        self.new = new
        let places = Dictionary(
            old.layout.fields.enumerated().map { ($1.propertyID, $0) },
            uniquingKeysWith: { first, _ in first })
        var sources: [Int32] = []
        var pieces: [Piece] = []
        var variables: [Variable] = []
        var isIdentity = old.fieldCount == new.fieldCount
        for (index, field) in new.layout.fields.enumerated() {
            let place = places[field.propertyID]
            let conversion = place.flatMap {
                old.layout.fields[$0].shape.conversion(to: field.shape)
            }
            let source = conversion == nil ? nil : place
            sources.append(Int32(source ?? -1))
            if source != index || conversion != ShapeConversion.none { isIdentity = false }
            if let width = field.type.fixedWidthBytes {
                Self.append(source, conversion, width, of: old, to: &pieces)
            } else {
                variables.append(Variable(source: source, conversion: conversion ?? .none))
            }
        }
        self.isIdentity = isIdentity
        self.sources = sources
        self.pieces = pieces
        self.variables = variables
    }

    /// Appends a part or extends the last one.
    private static func append(
        _ source: Int?, _ conversion: ShapeConversion?, _ width: Int, of old: RowLayout,
        to pieces: inout [Piece]
    ) {
        guard let source, let conversion else {
            if case .zeros(let count)? = pieces.last {
                pieces[pieces.count - 1] = .zeros(count: count + width)
            } else {
                pieces.append(.zeros(count: width))
            }
            return
        }
        guard conversion == .none else {
            pieces.append(.number(field: source, conversion, count: width))
            return
        }
        let offset = Int(old.slots[source].place)
        if case .copy(let from, let count)? = pieces.last, from + count == offset {
            pieces[pieces.count - 1] = .copy(from: from, count: count + width)
        } else {
            pieces.append(.copy(from: offset, count: width))
        }
    }

    /// Returns the row in the new layout.
    ///
    /// Throws `.corruption` if the bytes do not match the old layout, and `.invalidValue` if the
    /// converted values do not fit in a row. Costs a copy of the row.
    package func translate(_ row: Span<UInt8>) throws(DaybookError) -> [UInt8] {
        if isIdentity {
            _ = try RowView(row, old)
            return row.array
        }
        var writer = ByteWriter(capacity: row.count + new.fixedLength + 4 * variables.count)
        try translate(row, into: &writer)
        return writer.bytes
    }

    /// Appends the row in the new layout. Throws like ``translate(_:)``; the appended bytes are
    /// then useless.
    package func translate(
        _ row: Span<UInt8>, into writer: inout ByteWriter
    ) throws(DaybookError) {
        let view = try RowView(row, old)
        guard !isIdentity else { return writer.append(row) }
        let (converted, length) = try convert(view)
        let isWide = length > RowFormat.narrowLengthMax
        let table = variables.count * (isWide ? 4 : 2)
        guard length <= RowFormat.rowLengthBytesMax - new.fixedLength - table else {
            throw tooLarge(length)
        }
        writer.uint8(isWide ? RowFormat.headerIsWide : 0)
        appendNulls(view, to: &writer)
        try appendFixed(view, row, to: &writer)
        try appendVariable(view, converted, isWide: isWide, to: &writer)
    }

    /// The converted collections in order, and the total length of variable fields.
    private func convert(
        _ view: borrowing RowView
    ) throws(DaybookError) -> (converted: [[UInt8]], length: Int) {
        var converted: [[UInt8]] = []
        var length = 0
        for variable in variables {
            guard let source = variable.source, !view.isNull(source) else { continue }
            let bytes = try view.bytes(source)
            guard variable.conversion != .none else {
                length += bytes.count
                continue
            }
            var writer = ByteWriter(capacity: 2 * bytes.count)
            try variable.conversion.append(bytes, to: &writer)
            converted.append(writer.bytes)
            length += writer.count
        }
        return (converted, length)
    }

    private func appendNulls(_ view: borrowing RowView, to writer: inout ByteWriter) {
        var byte: UInt8 = 0
        for (index, source) in sources.enumerated() {
            if source < 0 || view.isNull(Int(source)) { byte |= 1 << UInt8(index & 7) }
            if index & 7 == 7 {
                writer.uint8(byte)
                byte = 0
            }
        }
        if sources.count & 7 != 0 { writer.uint8(byte) }
    }

    private func appendFixed(
        _ view: borrowing RowView, _ row: Span<UInt8>, to writer: inout ByteWriter
    ) throws(DaybookError) {
        for piece in pieces {
            switch piece {
            case .copy(let from, let count):
                writer.append(row.extracting(from..<(from + count)))
            case .zeros(let count): writer.zeros(count)
            case .number(let field, let conversion, let count):
                if view.isNull(field) {
                    writer.zeros(count)
                } else {
                    try conversion.append(try view.value(field), to: &writer)
                }
            }
        }
    }

    private func appendVariable(
        _ view: borrowing RowView, _ converted: [[UInt8]], isWide: Bool,
        to writer: inout ByteWriter
    ) throws(DaybookError) {
        let table = writer.count
        writer.zeros(variables.count * (isWide ? 4 : 2))
        let start = writer.count
        var next = 0
        for (index, variable) in variables.enumerated() {
            if let source = variable.source, !view.isNull(source) {
                if variable.conversion == .none {
                    writer.append(try view.bytes(source))
                } else {
                    let bytes = converted[next]
                    writer.append(bytes.span)
                    next += 1
                }
            }
            let end = writer.count - start
            if isWide {
                writer.patch(uint32: UInt32(truncatingIfNeeded: end), at: table + index * 4)
            } else {
                writer.patch(uint16: UInt16(truncatingIfNeeded: end), at: table + index * 2)
            }
        }
    }

    private func tooLarge(_ length: Int) -> DaybookError {
        let entity = new.layout.entityName
        return DaybookError(
            .invalidValue,
            "An object of \(entity) needs \(length) bytes under its new layout, more than a row may"
                + " have. Remove or shorten some of its values first.",
            details: ["entity": entity, "bytes": String(length)])
    }
}
