import DaybookBytes
import DaybookEngine
import DaybookIndex

/// The bytes by which a query sorts what it finds.
struct SortKeys {
    private let keys: OrderKeys

    init(
        _ query: QueryRunner, _ access: QueryAccess, _ reader: PlanReader, _ path: AccessPath
    ) throws {
        keys = OrderKeys(query.orders, access)
    }

    func key(of row: Span<UInt8>, layout: UInt32, id: UInt64) throws -> [UInt8] {
        var key: [UInt8] = []
        try keys.append(row, layout: layout, id: id, to: &key)
        return key
    }
}
