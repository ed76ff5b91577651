/// Finds the distinct values of a column if there are few.
enum DistinctNumbers {
    private static let slotCount = 1_024

    /// The distinct values in order of first appearance, and the index of each value among them.
    /// Nil if there are more than a dictionary allows or more than an eighth of the values.
    static func find(in values: [Int64]) -> (table: [Int64], indexes: [Int64])? {
        let countMax = min(TranspositionFormat.dictionaryCountMax, values.count / 8)
        var slots = [Int16](repeating: -1, count: slotCount)
        var table: [Int64] = []
        var indexes: [Int64] = []
        indexes.reserveCapacity(values.count)
        for value in values {
            let mixed = UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15
            var slot = Int(mixed >> 54)
            while slots[slot] >= 0, table[Int(slots[slot])] != value {
                slot = (slot + 1) & (slotCount - 1)
            }
            if slots[slot] < 0 {
                guard table.count < countMax else { return nil }
                slots[slot] = Int16(table.count)
                table.append(value)
            }
            indexes.append(Int64(slots[slot]))
        }
        return (table, indexes)
    }
}
