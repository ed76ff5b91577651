import Daybook
import Foundation

/// An entity with a property of every type, required and optional.
struct Everything: Entity, Equatable {
    var id: Id = 0
    var bool: Bool = false
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var int: Int = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var uint: UInt = 0
    var float: Float = 0
    var double: Double = 0
    var string: String = ""
    var date: Date = Date(timeIntervalSince1970: 0)
    var data: Data = Data()
    var bytes: [UInt8] = []
    var boolOrNil: Bool?
    var int8OrNil: Int8?
    var int16OrNil: Int16?
    var int32OrNil: Int32?
    var int64OrNil: Int64?
    var intOrNil: Int?
    var uint8OrNil: UInt8?
    var uint16OrNil: UInt16?
    var uint32OrNil: UInt32?
    var uint64OrNil: UInt64?
    var uintOrNil: UInt?
    var floatOrNil: Float?
    var doubleOrNil: Double?
    var stringOrNil: String?
    var dateOrNil: Date?
    var dataOrNil: Data?
    var bytesOrNil: [UInt8]?

    static let entityDescription = EntityDescription(
        "Everything",
        [
            .property("bool", Bool.self),
            .property("int8", Int8.self),
            .property("int16", Int16.self),
            .property("int32", Int32.self),
            .property("int64", Int64.self),
            .property("int", Int.self),
            .property("uint8", UInt8.self),
            .property("uint16", UInt16.self),
            .property("uint32", UInt32.self),
            .property("uint64", UInt64.self),
            .property("uint", UInt.self),
            .property("float", Float.self),
            .property("double", Double.self),
            .property("string", String.self),
            .property("date", Date.self),
            .property("data", Data.self),
            .property("bytes", [UInt8].self),
            .property("boolOrNil", Bool?.self),
            .property("int8OrNil", Int8?.self),
            .property("int16OrNil", Int16?.self),
            .property("int32OrNil", Int32?.self),
            .property("int64OrNil", Int64?.self),
            .property("intOrNil", Int?.self),
            .property("uint8OrNil", UInt8?.self),
            .property("uint16OrNil", UInt16?.self),
            .property("uint32OrNil", UInt32?.self),
            .property("uint64OrNil", UInt64?.self),
            .property("uintOrNil", UInt?.self),
            .property("floatOrNil", Float?.self),
            .property("doubleOrNil", Double?.self),
            .property("stringOrNil", String?.self),
            .property("dateOrNil", Date?.self),
            .property("dataOrNil", Data?.self),
            .property("bytesOrNil", [UInt8]?.self),
        ])

    static func decode(_ row: borrowing RowReader) throws -> Everything {
        var object = Everything(id: row.id)
        object.bool = try row.read(0)
        object.int8 = try row.read(1)
        object.int16 = try row.read(2)
        object.int32 = try row.read(3)
        object.int64 = try row.read(4)
        object.int = try row.read(5)
        object.uint8 = try row.read(6)
        object.uint16 = try row.read(7)
        object.uint32 = try row.read(8)
        object.uint64 = try row.read(9)
        object.uint = try row.read(10)
        object.float = try row.read(11)
        object.double = try row.read(12)
        object.string = try row.read(13)
        object.date = try row.read(14)
        object.data = try row.read(15)
        object.bytes = try row.read(16)
        object.boolOrNil = try row.read(17)
        object.int8OrNil = try row.read(18)
        object.int16OrNil = try row.read(19)
        object.int32OrNil = try row.read(20)
        object.int64OrNil = try row.read(21)
        object.intOrNil = try row.read(22)
        object.uint8OrNil = try row.read(23)
        object.uint16OrNil = try row.read(24)
        object.uint32OrNil = try row.read(25)
        object.uint64OrNil = try row.read(26)
        object.uintOrNil = try row.read(27)
        object.floatOrNil = try row.read(28)
        object.doubleOrNil = try row.read(29)
        object.stringOrNil = try row.read(30)
        object.dateOrNil = try row.read(31)
        object.dataOrNil = try row.read(32)
        object.bytesOrNil = try row.read(33)
        return object
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(bool, at: 0)
        try row.write(int8, at: 1)
        try row.write(int16, at: 2)
        try row.write(int32, at: 3)
        try row.write(int64, at: 4)
        try row.write(int, at: 5)
        try row.write(uint8, at: 6)
        try row.write(uint16, at: 7)
        try row.write(uint32, at: 8)
        try row.write(uint64, at: 9)
        try row.write(uint, at: 10)
        try row.write(float, at: 11)
        try row.write(double, at: 12)
        try row.write(string, at: 13)
        try row.write(date, at: 14)
        try row.write(data, at: 15)
        try row.write(bytes, at: 16)
        try row.write(boolOrNil, at: 17)
        try row.write(int8OrNil, at: 18)
        try row.write(int16OrNil, at: 19)
        try row.write(int32OrNil, at: 20)
        try row.write(int64OrNil, at: 21)
        try row.write(intOrNil, at: 22)
        try row.write(uint8OrNil, at: 23)
        try row.write(uint16OrNil, at: 24)
        try row.write(uint32OrNil, at: 25)
        try row.write(uint64OrNil, at: 26)
        try row.write(uintOrNil, at: 27)
        try row.write(floatOrNil, at: 28)
        try row.write(doubleOrNil, at: 29)
        try row.write(stringOrNil, at: 30)
        try row.write(dateOrNil, at: 31)
        try row.write(dataOrNil, at: 32)
        try row.write(bytesOrNil, at: 33)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
