#if Macros
import Daybook
import Foundation

/// A class with defaults, an optional, and a property that is not stored.
@Entity final class Person {
    var id: Id = 0
    var name = ""
    var age: Int?
    @Transient var isSelected = false

    init(name: String, age: Int? = nil) {
        self.name = name
        self.age = age
    }
}

/// A struct with a typed id.
@Entity struct Visit: Equatable {
    var id: EntityId<Visit> = 0
    var person: Id
    var moment: Date
    var note: String
}

/// Every type of a property.
/// A struct whose properties cannot change.
@Entity struct Building: Equatable {
    let id: EntityId<Building>
    let name: String
    let number: Int?
    @Transient var draft = ""
}

@Entity struct Everything: Equatable {
    var id: Id = 0
    var bool = false
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var int = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var uint: UInt = 0
    var float: Float = 0
    var double = 0.0
    var string = ""
    var date = Date(timeIntervalSince1970: 0)
    var data = Data()
    var bytes: [UInt8] = []
}

/// Every type of a property as an optional.
@Entity struct Anything: Equatable {
    var id: Id = 0
    var bool: Bool?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var int: Int?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var uint: UInt?
    var float: Float?
    var double: Double?
    var string: String?
    var date: Date?
    var data: Data?
    var bytes: [UInt8]?
}

/// `Person` in an earlier release of a program.
enum Earlier {
    @Entity struct Person {
        var id: Id = 0
        var name: String
    }
}
#endif
