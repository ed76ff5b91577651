public import DaybookBytes  // what is inlined elsewhere names its types

/// Reads the fields of a row in place, each in constant time.
///
/// The row's length is checked once, so fixed-width reads cannot fail. The ends of variable fields
/// are checked when they are read. A null field reads as zero or empty: call ``isNull(_:)`` first.
/// Fields are identified by their index in the layout. A wrong index or type is a programming error
/// and traps.
@usableFromInline package struct RowView: ~Escapable {
    @usableFromInline let parts: RowParts
    @usableFromInline package let slots: Span<RowLayout.Slot>

    /// Checks a row.
    ///
    /// Throws `.corruption` if the bytes do not match the layout: unknown header bits, or a length
    /// that contradicts the layout and the row's offsets.
    @_lifetime(copy bytes, borrow layout)
    package init(_ bytes: Span<UInt8>, _ layout: borrowing RowLayout) throws(DaybookError) {
        parts = try RowParts(
            bytes, fixedLength: layout.fixedLength, variableCount: layout.variableCount)
        slots = layout.slots.span
    }

    /// Whether a field is null.
    @inlinable @inline(__always)
    package func isNull(_ field: Int) -> Bool {
        precondition(field >= 0 && field < slots.count, "no such field")
        return parts.isNull(field)
    }

    @inlinable @inline(__always)
    package func bool(_ field: Int) -> Bool { parts.bytes[place(field, .bool)] != 0 }
    @inlinable @inline(__always)
    package func int8(_ field: Int) -> Int8 {
        Int8(bitPattern: parts.bytes[place(field, .int8)])
    }
    @inlinable @inline(__always)
    package func int16(_ field: Int) -> Int16 { load(field, .int16) }
    @inlinable @inline(__always)
    package func int32(_ field: Int) -> Int32 { load(field, .int32) }
    @inlinable @inline(__always)
    package func int64(_ field: Int) -> Int64 { load(field, .int64) }
    @inlinable @inline(__always)
    package func uint8(_ field: Int) -> UInt8 { parts.bytes[place(field, .uint8)] }
    @inlinable @inline(__always)
    package func uint16(_ field: Int) -> UInt16 { load(field, .uint16) }
    @inlinable @inline(__always)
    package func uint32(_ field: Int) -> UInt32 { load(field, .uint32) }
    @inlinable @inline(__always)
    package func uint64(_ field: Int) -> UInt64 { load(field, .uint64) }
    @inlinable @inline(__always)
    package func float(_ field: Int) -> Float {
        Float(bitPattern: load(field, .float))
    }
    @inlinable @inline(__always)
    package func double(_ field: Int) -> Double {
        Double(bitPattern: load(field, .double))
    }
    /// Milliseconds since 1970.
    @inlinable @inline(__always)
    package func date(_ field: Int) -> Int64 { load(field, .date) }
    /// Nanoseconds since 1970.
    @inlinable @inline(__always)
    package func dateNano(_ field: Int) -> Int64 { load(field, .dateNano) }

    /// The bytes of a string or bytes field, without a copy. Throws `.corruption` if its end
    /// offsets decrease or exceed the row.
    @inlinable
    @_lifetime(copy self)
    package func bytes(_ field: Int) throws(DaybookError) -> Span<UInt8> {
        let slot = slots[field]
        precondition(slot.type.fixedWidthBytes == nil, "the field has a fixed width")
        return try parts.variable(Int(slot.place))
    }

    /// The bytes of any field, without a copy. Throws `.corruption` like ``bytes(_:)``.
    @_lifetime(copy self)
    package func value(_ field: Int) throws(DaybookError) -> Span<UInt8> {
        let slot = slots[field]
        guard let width = slot.type.fixedWidthBytes else { return try bytes(field) }
        return parts.bytes.extracting(Int(slot.place)..<(Int(slot.place) &+ width))
    }

    /// The text of a string field. Throws `.corruption` like ``bytes(_:)``, and for ill-formed
    /// UTF-8.
    package func text(_ field: Int) throws(DaybookError) -> String {
        precondition(slots[field].type == .string, "the field is no string")
        return try String(checkingUTF8: bytes(field))
    }

    @inlinable @inline(__always)
    func place(_ field: Int, _ type: FieldType) -> Int {
        let slot = slots[field]
        precondition(slot.type == type, "the field has another type")
        return Int(slot.place)
    }

    @inlinable @inline(__always)
    func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ field: Int, _ type: FieldType
    ) -> Value {
        parts.load(at: place(field, type))
    }
}

extension RowLayout {
    /// Whether the bytes are a valid row of this layout.
    func isRow(_ bytes: Span<UInt8>) -> Bool {
        do throws(DaybookError) {
            return try RowParts(bytes, fixedLength: fixedLength, variableCount: variableCount)
                .hasAscendingEnds
        } catch { return false }
    }
}

extension RowView {
    @usableFromInline @inline(never)
    static func tooShort(_ length: Int) -> DaybookError {
        damaged("\(length) bytes are too few for its layout")
    }

    @usableFromInline @inline(never)
    static func wrongLength(_ length: Int) -> DaybookError {
        damaged("its fields do not fill its \(length) bytes")
    }

    @usableFromInline @inline(never)
    static func unknownHeader(_ header: UInt8) -> DaybookError {
        damaged("its header \(header) is unknown")
    }

    @usableFromInline @inline(never)
    static func wrongOffsets(_ place: Int) -> DaybookError {
        damaged("the offsets of its variable field \(place) are wrong")
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "A row is damaged: \(what). Restore the store from a backup.")
    }
}
