import DaybookEngine
import DaybookRecords

/// The row that a put is about to replace, read when it is first asked for.
final class PreviousRow {
    private let binding: EntityBinding
    private let id: Id
    private var row: StoredRow?
    private var isRead: Bool

    /// Nil for an object that is new, and for types that never ask.
    init?(_ binding: EntityBinding, _ id: Id) {
        guard id != 0, binding.keepsUnknownValues else { return nil }
        self.binding = binding
        self.id = id
        isRead = false
    }

    /// A row that was read already, where another thread had to.
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

    /// The stored value of the property at `index`; nil where there is none, or no object.
    func value<Value: PropertyValue>(
        _ index: Int, as type: Value.Type, _ types: StoreTypes
    ) throws -> Value? {
        guard let row = try stored() else { return nil }
        return try binding.withReader(row, types) { try Optional<Value>.read(index, of: $0) }
    }

    /// The stored bytes of the property at `index`, where this version of the program reads them as
    /// `value` and would write something else for it.
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

    /// Nil for null.
    private static func bytes(
        of value: some PropertyValue, _ types: StoreTypes
    ) throws -> [UInt8]? {
        var writer = ValueWriter(types)
        try value.write(to: &writer)
        return writer.isNull ? nil : writer.bytes.bytes
    }
}
