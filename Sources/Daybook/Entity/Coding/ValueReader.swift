import DaybookBytes
import DaybookRecords

/// Reads a single value: an element of a collection, or a property of variable width.
public struct ValueReader: ~Escapable {
    /// The value's bytes; empty if it is null.
    let bytes: Span<UInt8>
    /// Whether there is no value: it is null, or the row is older than the property.
    public let isNull: Bool
    let types: StoreTypes

    @_lifetime(copy bytes)
    init(_ bytes: consuming Span<UInt8>, isNull: Bool = false, types: StoreTypes) {
        self.bytes = bytes
        self.isNull = isNull
        self.types = types
    }

    /// Returns a number of fixed width; zero if there is no value.
    @inline(__always)
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value {
        bytes.loadLittleEndian(type, at: 0) ?? 0
    }

    /// Returns a string; empty if there is no value. Throws `.corruption` for ill-formed UTF-8.
    package func text() throws(DaybookError) -> String { try String(checkingUTF8: bytes) }
}

/// Writes a single value: an element of a collection, or a property of variable width.
public struct ValueWriter: ~Copyable {
    var bytes = ByteWriter(capacity: 64)
    private(set) var isNull = false
    let types: StoreTypes

    init(_ types: StoreTypes) { self.types = types }

    /// Removes the written bytes and keeps the capacity.
    mutating func removeAll() {
        bytes.removeAll()
        isNull = false
    }

    @usableFromInline
    mutating func writeNull() { isNull = true }
}
