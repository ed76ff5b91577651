public import Daybook
public import Foundation

/// A model with a property of every type, required and optional.
public protocol EveryType: Entity {
    associatedtype Place: PlaceValue

    var bool: Bool { get set }
    var int8: Int8 { get set }
    var int16: Int16 { get set }
    var int32: Int32 { get set }
    var int64: Int64 { get set }
    var int: Int { get set }
    var uint8: UInt8 { get set }
    var uint16: UInt16 { get set }
    var uint32: UInt32 { get set }
    var uint64: UInt64 { get set }
    var uint: UInt { get set }
    var float: Float { get set }
    var double: Double { get set }
    var string: String { get set }
    var date: Date { get set }
    var data: Data { get set }
    var bytes: [UInt8] { get set }
    var uuid: UUID { get set }
    var decimal: Decimal { get set }
    var url: URL { get set }
    var mood: Temper { get set }
    var numbers: [Int] { get set }
    var holes: [String?] { get set }
    var words: Set<String> { get set }
    var sizes: [String: Double] { get set }
    var moods: [Temper] { get set }
    var ids: Set<UUID> { get set }
    var places: [Place] { get set }
    var byName: [String: Place] { get set }
    var place: Place { get set }
    var exact: Date { get set }
    var angle: Angle { get set }
    var extra: Extra { get set }
    var boolOrNil: Bool? { get set }
    var int8OrNil: Int8? { get set }
    var int16OrNil: Int16? { get set }
    var int32OrNil: Int32? { get set }
    var int64OrNil: Int64? { get set }
    var intOrNil: Int? { get set }
    var uint8OrNil: UInt8? { get set }
    var uint16OrNil: UInt16? { get set }
    var uint32OrNil: UInt32? { get set }
    var uint64OrNil: UInt64? { get set }
    var uintOrNil: UInt? { get set }
    var floatOrNil: Float? { get set }
    var doubleOrNil: Double? { get set }
    var stringOrNil: String? { get set }
    var dateOrNil: Date? { get set }
    var dataOrNil: Data? { get set }
    var bytesOrNil: [UInt8]? { get set }
    var uuidOrNil: UUID? { get set }
    var decimalOrNil: Decimal? { get set }
    var urlOrNil: URL? { get set }
    var moodOrNil: Temper? { get set }
    var numbersOrNil: [Int]? { get set }
    var holesOrNil: [String?]? { get set }
    var wordsOrNil: Set<String>? { get set }
    var sizesOrNil: [String: Double]? { get set }
    var moodsOrNil: [Temper]? { get set }
    var idsOrNil: Set<UUID>? { get set }
    var placesOrNil: [Place]? { get set }
    var byNameOrNil: [String: Place]? { get set }
    var placeOrNil: Place? { get set }
    var exactOrNil: Date? { get set }
    var angleOrNil: Angle? { get set }
    var extraOrNil: Extra? { get set }

    /// Creates an object with no property set.
    static func make() -> Self
}

/// The embedded value of such a model.
public protocol PlaceValue: Embedded, Hashable {
    var city: String { get set }
    var height: Double? { get set }
    init()
}

extension EveryType {
    typealias Samples = MatrixSamples<Place>

    /// Creates an object with every property set.
    static func filled() -> Self {
        var object = make()
        object.fill()
        object.fillOptionals()
        return object
    }

    private mutating func fill() {
        bool = true
        int8 = .min
        int16 = .max
        int32 = .min
        int64 = .max
        int = .min
        uint8 = .max
        uint16 = .max
        uint32 = .max
        uint64 = .max
        uint = .max
        float = -.infinity
        double = .leastNonzeroMagnitude
        string = "Zoë 👩‍🚀"
        date = Date(timeIntervalSince1970: -1.5)
        data = Data([0, 255])
        bytes = [0, 255]
        uuid = Samples.uuid
        decimal = Samples.decimal
        url = Samples.url
        mood = .wild
        numbers = [3, -1, 3]
        holes = ["a", nil, ""]
        words = ["b", "a"]
        sizes = ["x": 1.5, "": -0.25]
        moods = [.wild, .calm]
        ids = [Samples.uuid]
        places = [Samples.place, Place()]
        byName = ["home": Samples.place]
        place = Samples.place
        exact = Samples.exact
        angle = Angle(degrees: 90)
        extra = Samples.extra
    }

    private mutating func fillOptionals() {
        boolOrNil = true
        int8OrNil = .min
        int16OrNil = .max
        int32OrNil = .min
        int64OrNil = .max
        intOrNil = .min
        uint8OrNil = .max
        uint16OrNil = .max
        uint32OrNil = .max
        uint64OrNil = .max
        uintOrNil = .max
        floatOrNil = -.infinity
        doubleOrNil = .leastNonzeroMagnitude
        stringOrNil = "Zoë 👩‍🚀"
        dateOrNil = Date(timeIntervalSince1970: -1.5)
        dataOrNil = Data([0, 255])
        bytesOrNil = [0, 255]
        uuidOrNil = Samples.uuid
        decimalOrNil = Samples.decimal
        urlOrNil = Samples.url
        moodOrNil = .wild
        numbersOrNil = [3, -1, 3]
        holesOrNil = ["a", nil, ""]
        wordsOrNil = ["b", "a"]
        sizesOrNil = ["x": 1.5, "": -0.25]
        moodsOrNil = [.wild, .calm]
        idsOrNil = [Samples.uuid]
        placesOrNil = [Samples.place, Place()]
        byNameOrNil = ["home": Samples.place]
        placeOrNil = Samples.place
        exactOrNil = Samples.exact
        angleOrNil = Angle(degrees: 90)
        extraOrNil = Samples.extra
    }

    /// The properties by name, for comparisons.
    var values: [String: AnyHashable?] {
        var values: [String: AnyHashable?] = [:]
        values["bool"] = AnyHashable(bool)
        values["int8"] = AnyHashable(int8)
        values["int16"] = AnyHashable(int16)
        values["int32"] = AnyHashable(int32)
        values["int64"] = AnyHashable(int64)
        values["int"] = AnyHashable(int)
        values["uint8"] = AnyHashable(uint8)
        values["uint16"] = AnyHashable(uint16)
        values["uint32"] = AnyHashable(uint32)
        values["uint64"] = AnyHashable(uint64)
        values["uint"] = AnyHashable(uint)
        values["float"] = AnyHashable(float)
        values["double"] = AnyHashable(double)
        values["string"] = AnyHashable(string)
        values["date"] = AnyHashable(date)
        values["data"] = AnyHashable(data)
        values["bytes"] = AnyHashable(bytes)
        values["uuid"] = AnyHashable(uuid)
        values["decimal"] = AnyHashable(decimal)
        values["url"] = AnyHashable(url)
        values["mood"] = AnyHashable(mood)
        values["numbers"] = AnyHashable(numbers)
        values["holes"] = AnyHashable(holes)
        values["words"] = AnyHashable(words)
        values["sizes"] = AnyHashable(sizes)
        values["moods"] = AnyHashable(moods)
        values["ids"] = AnyHashable(ids)
        values["places"] = AnyHashable(places)
        values["byName"] = AnyHashable(byName)
        values["place"] = AnyHashable(place)
        values["exact"] = AnyHashable(exact)
        values["angle"] = AnyHashable(angle)
        values["extra"] = AnyHashable(extra)
        values["boolOrNil"] = boolOrNil as AnyHashable?
        values["int8OrNil"] = int8OrNil as AnyHashable?
        values["int16OrNil"] = int16OrNil as AnyHashable?
        values["int32OrNil"] = int32OrNil as AnyHashable?
        values["int64OrNil"] = int64OrNil as AnyHashable?
        values["intOrNil"] = intOrNil as AnyHashable?
        values["uint8OrNil"] = uint8OrNil as AnyHashable?
        values["uint16OrNil"] = uint16OrNil as AnyHashable?
        values["uint32OrNil"] = uint32OrNil as AnyHashable?
        values["uint64OrNil"] = uint64OrNil as AnyHashable?
        values["uintOrNil"] = uintOrNil as AnyHashable?
        values["floatOrNil"] = floatOrNil as AnyHashable?
        values["doubleOrNil"] = doubleOrNil as AnyHashable?
        values["stringOrNil"] = stringOrNil as AnyHashable?
        values["dateOrNil"] = dateOrNil as AnyHashable?
        values["dataOrNil"] = dataOrNil as AnyHashable?
        values["bytesOrNil"] = bytesOrNil as AnyHashable?
        values["uuidOrNil"] = uuidOrNil as AnyHashable?
        values["decimalOrNil"] = decimalOrNil as AnyHashable?
        values["urlOrNil"] = urlOrNil as AnyHashable?
        values["moodOrNil"] = moodOrNil as AnyHashable?
        values["numbersOrNil"] = numbersOrNil as AnyHashable?
        values["holesOrNil"] = holesOrNil as AnyHashable?
        values["wordsOrNil"] = wordsOrNil as AnyHashable?
        values["sizesOrNil"] = sizesOrNil as AnyHashable?
        values["moodsOrNil"] = moodsOrNil as AnyHashable?
        values["idsOrNil"] = idsOrNil as AnyHashable?
        values["placesOrNil"] = placesOrNil as AnyHashable?
        values["byNameOrNil"] = byNameOrNil as AnyHashable?
        values["placeOrNil"] = placeOrNil as AnyHashable?
        values["exactOrNil"] = exactOrNil as AnyHashable?
        values["angleOrNil"] = angleOrNil as AnyHashable?
        values["extraOrNil"] = extraOrNil as AnyHashable?
        return values
    }
}
