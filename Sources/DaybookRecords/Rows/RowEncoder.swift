public import DaybookBytes  // what is inlined elsewhere names its types

/// Encodes rows, one after another, in a reused buffer.
///
/// Call ``begin(_:)``, set fields by their index in the layout, then call ``finish()``. The row is
/// available as ``row`` until the next `begin`. Variable fields are set in ascending order. Unset
/// fields are null if optional, else zero or empty. A wrong index or type is a programming error
/// and traps.
@usableFromInline package struct RowEncoder: ~Copyable {
    @usableFromInline var writer: ByteWriter
    @usableFromInline var layout: RowLayout
    private let rowLengthBytesMax: Int
    /// The first variable field that is not written.
    private var nextVariable = 0
    /// The start of the variable bytes.
    private var variableStart = 0
    private var isWide = false

    /// Creates an encoder for a layout; ``begin(_:)`` can change the layout. Tests use a smaller
    /// maximum.
    package init(
        _ layout: RowLayout, rowLengthBytesMax: Int = RowFormat.rowLengthBytesMax
    ) {
        self.layout = layout
        self.rowLengthBytesMax = min(rowLengthBytesMax, RowFormat.rowLengthBytesMax)
        writer = ByteWriter(capacity: 256)
        begin()
    }

    /// The finished row, without a copy.
    package var row: Span<UInt8> {
        @_lifetime(borrow self) get { writer.span }
    }

    /// Starts a row of a layout; free if the layout is unchanged.
    package mutating func begin(_ layout: borrowing RowLayout) {
        if layout.origin !== self.layout.origin { self.layout = copy layout }
        begin()
    }

    /// Starts a row of the same layout as the last.
    package mutating func begin() {
        writer.removeAll()
        Self.append(layout.template, to: &writer)
        nextVariable = 0
        variableStart = writer.count
        isWide = false
    }

    @inlinable package mutating func set(bool value: Bool, at field: Int) {
        writer.patch(uint8: value ? 1 : 0, at: place(field, .bool))
    }
    @inlinable package mutating func set(int8 value: Int8, at field: Int) {
        writer.patch(uint8: UInt8(bitPattern: value), at: place(field, .int8))
    }
    @inlinable package mutating func set(int16 value: Int16, at field: Int) {
        writer.patch(uint16: UInt16(bitPattern: value), at: place(field, .int16))
    }
    @inlinable package mutating func set(int32 value: Int32, at field: Int) {
        writer.patch(uint32: UInt32(bitPattern: value), at: place(field, .int32))
    }
    @inlinable package mutating func set(int64 value: Int64, at field: Int) {
        writer.patch(uint64: UInt64(bitPattern: value), at: place(field, .int64))
    }
    @inlinable package mutating func set(uint8 value: UInt8, at field: Int) {
        writer.patch(uint8: value, at: place(field, .uint8))
    }
    @inlinable package mutating func set(uint16 value: UInt16, at field: Int) {
        writer.patch(uint16: value, at: place(field, .uint16))
    }
    @inlinable package mutating func set(uint32 value: UInt32, at field: Int) {
        writer.patch(uint32: value, at: place(field, .uint32))
    }
    @inlinable package mutating func set(uint64 value: UInt64, at field: Int) {
        writer.patch(uint64: value, at: place(field, .uint64))
    }
    @inlinable package mutating func set(float value: Float, at field: Int) {
        writer.patch(uint32: value.bitPattern, at: place(field, .float))
    }
    @inlinable package mutating func set(double value: Double, at field: Int) {
        writer.patch(uint64: value.bitPattern, at: place(field, .double))
    }
    /// `value` is in milliseconds since 1970.
    @inlinable package mutating func set(date value: Int64, at field: Int) {
        writer.patch(uint64: UInt64(bitPattern: value), at: place(field, .date))
    }
    /// `value` is in nanoseconds since 1970.
    @inlinable package mutating func set(dateNano value: Int64, at field: Int) {
        writer.patch(uint64: UInt64(bitPattern: value), at: place(field, .dateNano))
    }

    /// Sets a variable-width field. The bytes of a string must be well-formed UTF-8.
    ///
    /// Throws `.invalidValue` if a later variable field was set before, or if the row is too long.
    package mutating func set(bytes value: Span<UInt8>, at field: Int) throws(DaybookError) {
        let slot = layout.slots[field]
        precondition(slot.type.fixedWidthBytes == nil, "the field has a fixed width")
        try reach(Int(slot.place), field, adding: value.count)
        writer.append(value)
        setEnd(Int(slot.place))
        if slot.isOptional { clearNull(field) }
    }

    /// Sets a field of UTF-8 text. Throws like ``set(bytes:at:)``.
    package mutating func set(text value: String, at field: Int) throws(DaybookError) {
        try value.withUTF8Span { (utf8) throws(DaybookError) in try set(bytes: utf8, at: field) }
    }

    /// Sets any field to bytes returned by ``RowView/value(_:)`` for the same type. Throws like
    /// ``set(bytes:at:)``, and for a wrong length.
    package mutating func set(value: Span<UInt8>, at field: Int) throws(DaybookError) {
        let slot = layout.slots[field]
        guard let width = slot.type.fixedWidthBytes else { return try set(bytes: value, at: field) }
        guard value.count == width else { throw invalid(field, "it has \(value.count) bytes") }
        let start = place(field, slot.type)
        for index in 0..<width { writer.patch(uint8: value[index], at: start + index) }
    }

    /// Makes a field null. Throws `.invalidValue` if the field is not optional, or is a variable
    /// field and it or a later one was set before.
    package mutating func setNull(_ field: Int) throws(DaybookError) {
        let slot = layout.slots[field]
        guard slot.isOptional else { throw invalid(field, "it is not optional and cannot be null") }
        if let width = slot.type.fixedWidthBytes {
            for index in 0..<width { writer.patch(uint8: 0, at: Int(slot.place) + index) }
        } else {
            try reach(Int(slot.place), field, adding: 0)
            setEnd(Int(slot.place))
        }
        let place = 1 + field / 8
        writer.patch(uint8: writer.span[place] | 1 << UInt8(field % 8), at: place)
    }

    /// Finishes the row and returns its length.
    @discardableResult
    package mutating func finish() -> Int {
        if nextVariable < layout.variableCount { setEnd(layout.variableCount - 1) }
        return writer.count
    }
}

extension RowEncoder {
    /// The offset of a fixed-width field that is about to be set.
    @inlinable @inline(__always)
    mutating func place(_ field: Int, _ type: FieldType) -> Int {
        let slot = layout.slots[field]
        precondition(slot.type == type, "the field has another type")
        if slot.isOptional { clearNull(field) }
        return Int(slot.place)
    }

    @usableFromInline
    mutating func clearNull(_ field: Int) {
        let place = 1 + field / 8
        writer.patch(uint8: writer.span[place] & ~(1 << UInt8(field % 8)), at: place)
    }

    /// Checks the order and the length of a variable field, and widens the offsets if necessary.
    private mutating func reach(
        _ place: Int, _ field: Int, adding length: Int
    ) throws(DaybookError) {
        guard place >= nextVariable else {
            throw invalid(
                field,
                "it or a later field is already set; set fields in ascending order")
        }
        let widening = 2 * layout.variableCount
        guard length <= rowLengthBytesMax - writer.count - widening else {
            throw invalid(
                field, "its \(length) bytes make the object larger than \(rowLengthBytesMax) bytes")
        }
        if !isWide, writer.count - variableStart + length > RowFormat.narrowLengthMax { widen() }
    }

    /// A static method, so that neither the writer nor the layout is retained.
    private static func append(_ template: borrowing [UInt8], to writer: inout ByteWriter) {
        writer.append(template.span)
    }

    /// Sets the end of the variable field at `place`, and of unset fields before it.
    private mutating func setEnd(_ place: Int) {
        if nextVariable < place { passOver(to: place) }
        patchEnd(place, writer.count - variableStart)
        nextVariable = place + 1
    }

    /// Unset fields are empty: they end at the end of the last set field.
    private mutating func passOver(to place: Int) {
        let end = nextVariable == 0 ? 0 : self.end(nextVariable - 1)
        for passed in nextVariable..<place { patchEnd(passed, end) }
    }

    private func end(_ place: Int) -> Int {
        let offset = layout.fixedLength + place * (isWide ? 4 : 2)
        return isWide
            ? Int(writer.span.loadLittleEndian(UInt32.self, at: offset) ?? 0)
            : Int(writer.span.loadLittleEndian(UInt16.self, at: offset) ?? 0)
    }

    private mutating func patchEnd(_ place: Int, _ end: Int) {
        let table = layout.fixedLength
        if isWide {
            writer.patch(uint32: UInt32(truncatingIfNeeded: end), at: table + place * 4)
        } else {
            writer.patch(uint16: UInt16(truncatingIfNeeded: end), at: table + place * 2)
        }
    }

    /// Widens the end offsets to four bytes. Happens at most once per row, at 64 KiB or less.
    private mutating func widen() {
        let variable = writer.span.extracting(variableStart..<writer.count).array
        let ends = (0..<nextVariable).map { end($0) }
        isWide = true
        variableStart = layout.fixedLength + 4 * layout.variableCount
        writer.truncate(to: layout.fixedLength)
        writer.zeros(4 * layout.variableCount)
        writer.append(variable.span)
        writer.patch(uint8: RowFormat.headerIsWide, at: 0)
        for (place, end) in ends.enumerated() { patchEnd(place, end) }
    }

    private func invalid(_ field: Int, _ what: String) -> DaybookError {
        let entity = layout.layout.entityName
        let property = layout.layout.fields[field].name
        return DaybookError(
            .invalidValue, "The property \(property) of \(entity) cannot be set: \(what).",
            details: ["entity": entity, "property": property])
    }
}
