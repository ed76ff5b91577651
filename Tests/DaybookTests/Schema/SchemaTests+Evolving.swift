@testable import Daybook
import Synchronization

/// A release of a program, as the store sees it: its declarations, and the identity of each
/// property under any name.
struct Release: Sendable {
    struct Property: Sendable {
        var key: String
        var description: PropertyDescription

        init(_ key: String, _ description: PropertyDescription) {
            self.key = key
            self.description = description
        }
    }

    var entity = EntityDescription("Person", [])
    var properties: [Property] = []
    var place = EntityDescription("Place", [])
    var placeProperties: [Property] = []

    mutating func declare(_ name: String, _ attributes: EntityAttribute..., as list: [Property]) {
        entity = EntityDescription(name, list.map(\.description))
        entity.attributes = attributes
        properties = list
    }

    mutating func declarePlace(
        _ name: String, _ attributes: EntityAttribute..., as list: [Property]
    ) {
        place = EntityDescription(name, list.map(\.description))
        place.attributes = attributes
        placeProperties = list
    }

    /// The release that the types of this file currently implement.
    static let running = Mutex(Release())

    static var now: Release { running.withLock { $0 } }
}

/// An object of the current release, with its values as strings by key. Keys with nil values are
/// absent.
struct Evolving: Entity, Equatable {
    var entityId: Id = 0
    var values: [String: String] = [:]

    static var entityDescription: EntityDescription { Release.now.entity }

    static func decode(_ row: borrowing RowReader) throws -> Evolving {
        Evolving(entityId: row.id, values: try row.texts(Release.now.properties))
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(values, Release.now.properties)
    }
}

/// A value embedded in ``Evolving``; its keys begin with the keys of the property that contains it.
struct EvolvingPlace: Embedded {
    var values: [String: String] = [:]

    static var entityDescription: EntityDescription { Release.now.place }

    static func decode(_ row: borrowing RowReader) throws -> EvolvingPlace {
        EvolvingPlace(values: try row.texts(Release.now.placeProperties))
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(values, Release.now.placeProperties)
    }
}

extension RowReader {
    fileprivate func texts(_ properties: [Release.Property]) throws -> [String: String] {
        var texts: [String: String] = [:]
        for (index, property) in properties.enumerated() {
            let description = property.description
            if description.type.embedded != nil {
                let place = try read(index, as: EvolvingPlace?.self)
                for (key, value) in place?.values ?? [:] { texts[key] = value }
                continue
            }
            texts[property.key] =
                switch (description.type.description, description.isOptional) {
                case ("string", false): try read(index, as: String.self)
                case ("string", true): try read(index, as: String?.self)
                case ("int8", _): String(try read(index, as: Int8.self))
                case ("int16", _): String(try read(index, as: Int16.self))
                case ("int32", _): String(try read(index, as: Int32.self))
                case ("int64", false): String(try read(index, as: Int.self))
                case ("int64", true): try read(index, as: Int?.self).map { String($0) }
                case ("list<int8>", _):
                    try read(index, as: [Int8].self).map { String($0) }.joined(separator: ",")
                default:
                    try read(index, as: [Int32].self).map { String($0) }.joined(separator: ",")
                }
        }
        return texts
    }
}

extension RowWriter {
    fileprivate mutating func write(
        _ values: [String: String], _ properties: [Release.Property]
    ) throws {
        for (index, property) in properties.enumerated() {
            let description = property.description
            let text = values[property.key]
            if description.type.embedded != nil {
                let inside = values.filter { $0.key.hasPrefix(property.key + ".") }
                try write(inside.isEmpty ? nil : EvolvingPlace(values: inside), at: index)
                continue
            }
            let numbers = (text ?? "").split(separator: ",")
            switch (description.type.description, description.isOptional) {
            case ("string", false): try write(text ?? "", at: index)
            case ("string", true): try write(text, at: index)
            case ("int8", _): try write(text.flatMap { Int8($0) } ?? 0, at: index)
            case ("int16", _): try write(text.flatMap { Int16($0) } ?? 0, at: index)
            case ("int32", _): try write(text.flatMap { Int32($0) } ?? 0, at: index)
            case ("int64", false): try write(text.flatMap { Int($0) } ?? 0, at: index)
            case ("int64", true): try write(text.flatMap { Int($0) }, at: index)
            case ("list<int8>", _): try write(numbers.compactMap { Int8($0) }, at: index)
            default: try write(numbers.compactMap { Int32($0) }, at: index)
            }
        }
    }
}
