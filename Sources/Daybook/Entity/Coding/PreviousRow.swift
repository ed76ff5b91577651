import DaybookEngine
import DaybookRecords

/// The row that a put replaces. Read on first access.
final class PreviousRow {
    private let binding: EntityBinding
    private let id: Id
    private var row: StoredRow?
    private var isRead: Bool

    /// The row of an object; nil for a new object, and for types that do not need the row. A
    /// failable initializer would allocate the instance before it fails.
    @inline(__always)
    static func of(_ id: Id, _ binding: EntityBinding) -> PreviousRow? {
        guard id != 0, binding.keepsUnknownValues else { return nil }
        return PreviousRow(binding, id)
    }

    private init(_ binding: EntityBinding, _ id: Id) {
        self.binding = binding
        self.id = id
        isRead = false
    }

    /// A row that was already read, on another thread.
    init(_ binding: EntityBinding, read row: StoredRow) {
        self.binding = binding
        id = row.id
        self.row = row
        isRead = true
    }

    private func stored() throws -> StoredRow? {
        if !isRead { row = try binding.previousRow(id) }
        isRead = true
        return row
    }

    /// Returns the stored value of the property at `index`; nil if there is no value or no object.
    func value<Value: PropertyValue>(
        _ index: Int, as type: Value.Type, _ types: StoreTypes
    ) throws -> Value? {
        guard let row = try stored() else { return nil }
        return try binding.withReader(row, types) { try Optional<Value>.read(index, of: $0) }
    }

    /// Returns the stored bytes of the property at `index` if this version of the program reads
    /// them as `value`, but would write other bytes for it; nil otherwise.
    func unknownBytes<Value: PropertyValue>(
        _ index: Int, readAs value: Value, _ types: StoreTypes
    ) throws -> [UInt8]? {
        guard let row = try stored() else { return nil }
        return try binding.withReader(row, types) { row -> [UInt8]? in
            let stored = try row.value(index, as: Value.propertyType)
            guard !stored.isNull, let seen = try? Value.read(stored) else { return nil }
            let bytes = stored.bytes.array
            let (old, new) = (try Self.bytes(of: seen, types), try Self.bytes(of: value, types))
            return old == new && old != bytes ? bytes : nil
        }
    }

    /// Returns nil for null.
    private static func bytes(
        of value: some PropertyValue, _ types: StoreTypes
    ) throws -> [UInt8]? {
        var writer = ValueWriter(types)
        try value.write(to: &writer)
        return writer.isNull ? nil : writer.bytes.bytes
    }
}
