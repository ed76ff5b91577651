import Daybook
import DaybookMatrix
import DaybookRealm
import Foundation

// Properties of every type in models without macros. Without the package trait the plugin generates
// nothing, and the models are plain types.

// objectbox: embedded
struct PlainPlace: Hashable {
    var city = ""
    var height: Double?
}

final class PlainMatrix: Entity {
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
    var places: [PlainPlace] = []
    var placesOrNil: [PlainPlace]?
    var byName: [String: PlainPlace] = [:]
    var byNameOrNil: [String: PlainPlace]?
    var place: PlainPlace = PlainPlace()
    var placeOrNil: PlainPlace?
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

    required init() {}
}

final class PersistedPlace: EmbeddedObject, Hashable {
    @Persisted var city = ""
    @Persisted var height: Double?

    static func == (one: PersistedPlace, other: PersistedPlace) -> Bool {
        one.city == other.city && one.height == other.height
    }
    func hash(into hasher: inout Hasher) { hasher.combine(city) }
}

final class PersistedMatrix: Object {
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
    @Persisted var places: [PersistedPlace] = []
    @Persisted var placesOrNil: [PersistedPlace]?
    @Persisted var byName: [String: PersistedPlace] = [:]
    @Persisted var byNameOrNil: [String: PersistedPlace]?
    @Persisted var place: PersistedPlace = PersistedPlace()
    @Persisted var placeOrNil: PersistedPlace?
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
}

#if Macros
extension PlainPlace: PlaceValue {}

extension PlainMatrix: EveryType {
    typealias Place = PlainPlace
    static func make() -> PlainMatrix { PlainMatrix() }
}

extension PersistedPlace: PlaceValue {}

extension PersistedMatrix: EveryType {
    typealias Place = PersistedPlace
    static func make() -> PersistedMatrix { PersistedMatrix() }
}
#endif
