import DaybookBytes
import DaybookRecords

/// Reads one value by itself: an element of a collection, or a property of variable width.
public struct ValueReader: ~Escapable {
    /// The value's bytes; none where it is null.
    let bytes: Span<UInt8>
    /// Whether there is no value: null, or missing in a row that is older than the property.
    public let isNull: Bool
    let types: StoreTypes

    @_lifetime(copy bytes)
    init(_ bytes: consuming Span<UInt8>, isNull: Bool = false, types: StoreTypes) {
        self.bytes = bytes
        self.isNull = isNull
        self.types = types
    }

    /// A number of fixed width; zero where there is none.
    @inline(__always)
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value {
        bytes.loadLittleEndian(type, at: 0) ?? 0
    }

    /// A string; empty where there is no value. Throws `.corruption` for ill-formed UTF-8.
    package func text() throws(DaybookError) -> String { try String(checkingUTF8: bytes) }
}

/// Takes one value by itself: an element of a collection, or a property of variable width.
public struct ValueWriter: ~Copyable {
    var bytes = ByteWriter(capacity: 64)
    private(set) var isNull = false
    let types: StoreTypes

    init(_ types: StoreTypes) { self.types = types }

    /// Forgets what was written and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll()
        isNull = false
    }

    @usableFromInline
    mutating func writeNull() { isNull = true }
}
