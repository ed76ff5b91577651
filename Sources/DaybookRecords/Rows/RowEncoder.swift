public import DaybookBytes  // what is inlined elsewhere names its types

/// Writes rows, one after another, into memory that it keeps.
///
/// ``begin(_:)``, then set fields by their index in the layout, then ``finish()``; the row is then
/// ``row`` until the next `begin`. Variable fields are set in ascending order. What is never set is
/// null if it may be, else zero or empty. A wrong index or type is a programming error and traps.
@usableFromInline package struct RowEncoder: ~Copyable {
    @usableFromInline var writer: ByteWriter
    @usableFromInline var layout: RowLayout
    private let rowLengthBytesMax: Int
    /// The variable fields before this one are written.
    private var nextVariable = 0
    /// Where the variable bytes begin.
    private var variableStart = 0
    private var isWide = false

    /// Makes an encoder for a layout; ``begin(_:)`` can change it. A smaller maximum serves tests.
    package init(
        _ layout: RowLayout, rowLengthBytesMax: Int = RowFormat.rowLengthBytesMax
    ) {
        self.layout = layout
        self.rowLengthBytesMax = min(rowLengthBytesMax, RowFormat.rowLengthBytesMax)
        writer = ByteWriter(capacity: 256)
        begin()
    }

    /// The finished row, in place.
    package var row: Span<UInt8> {
        @_lifetime(borrow self) get { writer.span }
    }

    /// Starts a row of another layout, or of the same one at no cost.
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
    /// `value` counts milliseconds since 1970.
    @inlinable package mutating func set(date value: Int64, at field: Int) {
        writer.patch(uint64: UInt64(bitPattern: value), at: place(field, .date))
    }
    /// `value` counts nanoseconds since 1970.
    @inlinable package mutating func set(dateNano value: Int64, at field: Int) {
        writer.patch(uint64: UInt64(bitPattern: value), at: place(field, .dateNano))
    }

    /// Sets a field of variable width. The bytes of a string must be well-formed UTF-8.
    ///
    /// Throws `.invalidValue` when a later variable field is set already, or the row gets too long.
    package mutating func set(bytes value: Span<UInt8>, at field: Int) throws(DaybookError) {
        let slot = layout.slots[field]
        precondition(slot.type.fixedWidthBytes == nil, "the field has a fixed width")
        try reach(Int(slot.place), field, adding: value.count)
        writer.append(value)
        setEnd(Int(slot.place))
        if slot.isOptional { clearNull(field) }
    }

    /// Sets a field whose bytes are UTF-8. Throws like ``set(bytes:at:)``.
    package mutating func set(text value: String, at field: Int) throws(DaybookError) {
        try set(bytes: value.utf8.span, at: field)
    }

    /// Sets any field to the bytes that ``RowView/value(_:)`` gave of one of its type. Throws like
    /// ``set(bytes:at:)``, and for a wrong count of bytes.
    package mutating func set(value: Span<UInt8>, at field: Int) throws(DaybookError) {
        let slot = layout.slots[field]
        guard let width = slot.type.fixedWidthBytes else { return try set(bytes: value, at: field) }
        guard value.count == width else { throw invalid(field, "it has \(value.count) bytes") }
        let start = place(field, slot.type)
        for index in 0..<width { writer.patch(uint8: value[index], at: start + index) }
    }

    /// Makes a field null. Throws `.invalidValue` when it may not be null, or is a variable field
    /// that was set already or stands before one that was.
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

    /// Ends the row; returns its length.
    @discardableResult
    package mutating func finish() -> Int {
        if nextVariable < layout.variableCount { setEnd(layout.variableCount - 1) }
        return writer.count
    }
}

extension RowEncoder {
    /// The offset of a fixed-width field, which is about to be set.
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

    /// Checks that a variable field comes next and fits, and widens the offsets when they need it.
    private mutating func reach(
        _ place: Int, _ field: Int, adding length: Int
    ) throws(DaybookError) {
        guard place >= nextVariable else {
            throw invalid(field, "it or a later one is set already; set fields in ascending order")
        }
        let widening = 2 * layout.variableCount
        guard length <= rowLengthBytesMax - writer.count - widening else {
            throw invalid(
                field, "its \(length) bytes make the object larger than \(rowLengthBytesMax) bytes")
        }
        if !isWide, writer.count - variableStart + length > RowFormat.narrowLengthMax { widen() }
    }

    /// Apart from `self`, so that neither the writer nor the layout has to be retained.
    private static func append(_ template: borrowing [UInt8], to writer: inout ByteWriter) {
        writer.append(template.span)
    }

    /// Ends the variable field at `place`, and those before it that were never set.
    private mutating func setEnd(_ place: Int) {
        if nextVariable < place { passOver(to: place) }
        patchEnd(place, writer.count - variableStart)
        nextVariable = place + 1
    }

    /// Fields that were passed over are empty: they end where the last one that was set does.
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

    /// Gives the end offsets four bytes each. Happens once in a row, while it has at most 64 KiB.
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
            .invalidValue, "The property \(property) of \(entity) cannot be set so: \(what).",
            details: ["entity": entity, "property": property])
    }
}
