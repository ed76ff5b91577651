/// The properties of an item without its customer.
protocol ItemContents {
    var id: UInt64 { get }
    var text: String { get }
    var i32: Int32 { get }
    var i64: Int64 { get }
    var f64: Double { get }
    var flag: Bool { get }
    var date: Int64 { get }
    var category: String { get }
}

/// The properties of an item with the number of its customer.
protocol CustomerItemContents: ItemContents {
    var customerId: UInt64 { get }
}

/// The object of the workload. Every peer decodes into this class, including the strings.
final class Item: CustomerItemContents {
    var id: UInt64
    /// 16 to 26 bytes: too long for Swift's inline strings.
    var text: String
    var i32: Int32
    var i64: Int64
    var f64: Double
    var flag: Bool
    /// Milliseconds since 1970.
    var date: Int64
    /// One of 50 values of ten bytes.
    var category: String
    /// 1 to 10,000.
    var customerId: UInt64

    init(
        id: UInt64, text: String, i32: Int32, i64: Int64, f64: Double, flag: Bool, date: Int64,
        category: String, customerId: UInt64
    ) {
        self.id = id
        self.text = text
        self.i32 = i32
        self.i64 = i64
        self.f64 = f64
        self.flag = flag
        self.date = date
        self.category = category
        self.customerId = customerId
    }
}
