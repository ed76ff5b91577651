extension FieldType {
    /// The length of a value in the fixed part of a row; nil for variable-width types.
    @inlinable package var fixedWidthBytes: Int? {
        switch self {
        case .bool, .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .int64, .uint64, .double, .date, .dateNano: 8
        case .string, .bytes, .uuid, .decimal, .list, .set, .map, .embedded, .json: nil
        case .toOne, .toMany, .objects, .keyedObjects: 0
        }
    }

    /// The name of the type for messages and for the JSON of the command.
    package var name: String {
        switch self {
        case .bool: "bool"
        case .int8: "int8"
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .uint8: "uint8"
        case .uint16: "uint16"
        case .uint32: "uint32"
        case .uint64: "uint64"
        case .float: "float"
        case .double: "double"
        case .date: "date"
        case .string: "string"
        case .bytes: "bytes"
        case .dateNano: "dateNano"
        case .uuid: "uuid"
        case .decimal: "decimal"
        case .list: "list"
        case .set: "set"
        case .map: "map"
        case .embedded: "embedded"
        case .json: "json"
        case .toOne: "toOne"
        case .toMany: "toMany"
        case .objects: "objects"
        case .keyedObjects: "keyedObjects"
        }
    }

    /// Whether it is a relation, whose links are not part of the row.
    package var isRelation: Bool { self == .toOne || self == .toMany || hasPositions }

    /// Whether it is a relation whose links have positions: a list, or a map, whose positions are
    /// its keys.
    package var hasPositions: Bool { self == .objects || self == .keyedObjects }

    /// Whether it is a collection of values of another type.
    package var isCollection: Bool { self == .list || self == .set || self == .map }
}
