#if Macros
import Daybook
import DaybookMatrix
import DaybookRealm
import Foundation

// Properties of every type, declared with attributes, with comments and in Realm's spelling.

@Embedded struct NativePlace: PlaceValue {
    var city = ""
    var height: Double?
}

@Entity struct NativeMatrix: EveryType {
    typealias Place = NativePlace
    var id: Id = 0
    var bool: Bool = false
    var boolOrNil: Bool?
    var int8: Int8 = 0
    var int8OrNil: Int8?
    var int16: Int16 = 0
    var int16OrNil: Int16?
    var int32: Int32 = 0
    var int32OrNil: Int32?
    var int64: Int64 = 0
    var int64OrNil: Int64?
    var int: Int = 0
    var intOrNil: Int?
    var uint8: UInt8 = 0
    var uint8OrNil: UInt8?
    var uint16: UInt16 = 0
    var uint16OrNil: UInt16?
    var uint32: UInt32 = 0
    var uint32OrNil: UInt32?
    var uint64: UInt64 = 0
    var uint64OrNil: UInt64?
    var uint: UInt = 0
    var uintOrNil: UInt?
    var float: Float = 0
    var floatOrNil: Float?
    var double: Double = 0
    var doubleOrNil: Double?
    var string: String = ""
    var stringOrNil: String?
    var date: Date = Date(timeIntervalSince1970: 0)
    var dateOrNil: Date?
    var data: Data = Data()
    var dataOrNil: Data?
    var bytes: [UInt8] = []
    var bytesOrNil: [UInt8]?
    var uuid: UUID = MatrixConstants.zeroUUID
    var uuidOrNil: UUID?
    var decimal: Decimal = 0
    var decimalOrNil: Decimal?
    var url: URL = MatrixConstants.nowhere
    var urlOrNil: URL?
    @Convert(default: Temper.calm) var mood: Temper = .calm
    var moodOrNil: Temper?
    var numbers: [Int] = []
    var numbersOrNil: [Int]?
    var holes: [String?] = []
    var holesOrNil: [String?]?
    var words: Set<String> = []
    var wordsOrNil: Set<String>?
    var sizes: [String: Double] = [:]
    var sizesOrNil: [String: Double]?
    var moods: [Temper] = []
    var moodsOrNil: [Temper]?
    var ids: Set<UUID> = []
    var idsOrNil: Set<UUID>?
    var places: [NativePlace] = []
    var placesOrNil: [NativePlace]?
    var byName: [String: NativePlace] = [:]
    var byNameOrNil: [String: NativePlace]?
    var place: NativePlace = NativePlace()
    var placeOrNil: NativePlace?
    @Nanoseconds var exact: Date = Date(timeIntervalSince1970: 0)
    @Nanoseconds var exactOrNil: Date?
    @Convert(AngleConverter.self, as: String.self) var angle: Angle = Angle(degrees: 0)
    @Convert(AngleConverter.self, as: String.self) var angleOrNil: Angle?
    @Encoded var extra: Extra = Extra()
    @Encoded var extraOrNil: Extra?

    static func make() -> NativeMatrix { NativeMatrix() }
}

// objectbox: entity
@Entity final class CommentMatrix: EveryType {
    typealias Place = NativePlace
    // objectbox: id
    var id: UInt64 = 0
    var bool: Bool = false
    var boolOrNil: Bool?
    var int8: Int8 = 0
    var int8OrNil: Int8?
    var int16: Int16 = 0
    var int16OrNil: Int16?
    var int32: Int32 = 0
    var int32OrNil: Int32?
    var int64: Int64 = 0
    var int64OrNil: Int64?
    var int: Int = 0
    var intOrNil: Int?
    var uint8: UInt8 = 0
    var uint8OrNil: UInt8?
    var uint16: UInt16 = 0
    var uint16OrNil: UInt16?
    var uint32: UInt32 = 0
    var uint32OrNil: UInt32?
    var uint64: UInt64 = 0
    var uint64OrNil: UInt64?
    var uint: UInt = 0
    var uintOrNil: UInt?
    var float: Float = 0
    var floatOrNil: Float?
    var double: Double = 0
    var doubleOrNil: Double?
    var string: String = ""
    var stringOrNil: String?
    var date: Date = Date(timeIntervalSince1970: 0)
    var dateOrNil: Date?
    var data: Data = Data()
    var dataOrNil: Data?
    var bytes: [UInt8] = []
    var bytesOrNil: [UInt8]?
    var uuid: UUID = MatrixConstants.zeroUUID
    var uuidOrNil: UUID?
    var decimal: Decimal = 0
    var decimalOrNil: Decimal?
    var url: URL = MatrixConstants.nowhere
    var urlOrNil: URL?
    // objectbox: convert = { "default": ".calm" }
    var mood: Temper = .calm
    var moodOrNil: Temper?
    var numbers: [Int] = []
    var numbersOrNil: [Int]?
    var holes: [String?] = []
    var holesOrNil: [String?]?
    var words: Set<String> = []
    var wordsOrNil: Set<String>?
    var sizes: [String: Double] = [:]
    var sizesOrNil: [String: Double]?
    var moods: [Temper] = []
    var moodsOrNil: [Temper]?
    var ids: Set<UUID> = []
    var idsOrNil: Set<UUID>?
    var places: [NativePlace] = []
    var placesOrNil: [NativePlace]?
    var byName: [String: NativePlace] = [:]
    var byNameOrNil: [String: NativePlace]?
    var place: NativePlace = NativePlace()
    var placeOrNil: NativePlace?
    // objectbox: date-nano
    var exact: Date = Date(timeIntervalSince1970: 0)
    // objectbox: date-nano
    var exactOrNil: Date?
    // objectbox: convert = { "dbType": "String", "converter": "AngleConverter" }
    var angle: Angle = Angle(degrees: 0)
    // objectbox: convert = { "dbType": "String", "converter": "AngleConverter" }
    var angleOrNil: Angle?
    // objectbox: encoded
    var extra: Extra = Extra()
    // objectbox: encoded
    var extraOrNil: Extra?

    static func make() -> CommentMatrix { CommentMatrix() }
}

@Embedded final class RealmPlace: EmbeddedObject, PlaceValue {
    @Persisted var city = ""
    @Persisted var height: Double?

    static func == (one: RealmPlace, other: RealmPlace) -> Bool {
        one.city == other.city && one.height == other.height
    }
    func hash(into hasher: inout Hasher) { hasher.combine(city) }
}

@Entity final class RealmMatrix: Object, EveryType {
    typealias Place = RealmPlace
    @Persisted var bool: Bool = false
    @Persisted var boolOrNil: Bool?
    @Persisted var int8: Int8 = 0
    @Persisted var int8OrNil: Int8?
    @Persisted var int16: Int16 = 0
    @Persisted var int16OrNil: Int16?
    @Persisted var int32: Int32 = 0
    @Persisted var int32OrNil: Int32?
    @Persisted var int64: Int64 = 0
    @Persisted var int64OrNil: Int64?
    @Persisted var int: Int = 0
    @Persisted var intOrNil: Int?
    @Persisted var uint8: UInt8 = 0
    @Persisted var uint8OrNil: UInt8?
    @Persisted var uint16: UInt16 = 0
    @Persisted var uint16OrNil: UInt16?
    @Persisted var uint32: UInt32 = 0
    @Persisted var uint32OrNil: UInt32?
    @Persisted var uint64: UInt64 = 0
    @Persisted var uint64OrNil: UInt64?
    @Persisted var uint: UInt = 0
    @Persisted var uintOrNil: UInt?
    @Persisted var float: Float = 0
    @Persisted var floatOrNil: Float?
    @Persisted var double: Double = 0
    @Persisted var doubleOrNil: Double?
    @Persisted var string: String = ""
    @Persisted var stringOrNil: String?
    @Persisted var date: Date = Date(timeIntervalSince1970: 0)
    @Persisted var dateOrNil: Date?
    @Persisted var data: Data = Data()
    @Persisted var dataOrNil: Data?
    @Persisted var bytes: [UInt8] = []
    @Persisted var bytesOrNil: [UInt8]?
    @Persisted var uuid: UUID = MatrixConstants.zeroUUID
    @Persisted var uuidOrNil: UUID?
    @Persisted var decimal: Decimal = 0
    @Persisted var decimalOrNil: Decimal?
    @Persisted var url: URL = MatrixConstants.nowhere
    @Persisted var urlOrNil: URL?
    // objectbox: convert = { "default": ".calm" }
    @Persisted var mood: Temper = .calm
    @Persisted var moodOrNil: Temper?
    @Persisted var numbers: [Int] = []
    @Persisted var numbersOrNil: [Int]?
    @Persisted var holes: [String?] = []
    @Persisted var holesOrNil: [String?]?
    @Persisted var words: Set<String> = []
    @Persisted var wordsOrNil: Set<String>?
    @Persisted var sizes: [String: Double] = [:]
    @Persisted var sizesOrNil: [String: Double]?
    @Persisted var moods: [Temper] = []
    @Persisted var moodsOrNil: [Temper]?
    @Persisted var ids: Set<UUID> = []
    @Persisted var idsOrNil: Set<UUID>?
    @Persisted var places: [RealmPlace] = []
    @Persisted var placesOrNil: [RealmPlace]?
    @Persisted var byName: [String: RealmPlace] = [:]
    @Persisted var byNameOrNil: [String: RealmPlace]?
    @Persisted var place: RealmPlace = RealmPlace()
    @Persisted var placeOrNil: RealmPlace?
    // objectbox: date-nano
    @Persisted var exact: Date = Date(timeIntervalSince1970: 0)
    // objectbox: date-nano
    @Persisted var exactOrNil: Date?
    // objectbox: convert = { "dbType": "String", "converter": "AngleConverter" }
    @Persisted var angle: Angle = Angle(degrees: 0)
    // objectbox: convert = { "dbType": "String", "converter": "AngleConverter" }
    @Persisted var angleOrNil: Angle?
    // objectbox: encoded
    @Persisted var extra: Extra = Extra()
    // objectbox: encoded
    @Persisted var extraOrNil: Extra?

    static func make() -> RealmMatrix { RealmMatrix() }
}
#endif
