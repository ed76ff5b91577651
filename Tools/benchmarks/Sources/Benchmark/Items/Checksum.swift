/// A checksum of the objects that an operation read. It must be equal for all peers.
struct Checksum: Sendable {
    private(set) var count: UInt64 = 0
    private var sum: UInt64 = 0

    @inline(__always)
    mutating func add(_ item: Item) { add(item, of: item.customerId) }

    /// Adds an item of a customer.
    @inline(__always)
    mutating func add(_ item: some ItemContents, of customer: UInt64) {
        count &+= 1
        let text = item.text.utf8
        let category = item.category.utf8
        var word = item.id &* 31 &+ UInt64(text.count) &* 7 &+ UInt64(text.first ?? 0)
        word = word &+ UInt64(UInt32(bitPattern: item.i32)) &+ UInt64(bitPattern: item.i64)
        word = word &+ UInt64(bitPattern: Int64(item.f64)) &+ (item.flag ? 1 : 0)
        word = word &+ UInt64(bitPattern: item.date) &+ customer
        sum = sum &+ word &+ UInt64(category[category.index(category.startIndex, offsetBy: 9)])
    }

    mutating func add(_ other: Checksum) {
        count &+= other.count
        sum = sum &+ other.sum
    }

    var value: UInt64 { sum &* 1_000_003 &+ count }
}
