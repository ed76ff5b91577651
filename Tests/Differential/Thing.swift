import Daybook
import DaybookBytes
import DaybookQuery
import Foundation

/// A random object. Its properties are those of ``RandomSchema/current``.
final class Thing: Entity {
    var id: Id = 0
    var cells: [Cell?] = []
    var tags: [Int64] = []
    var owner: ToOne<Owner> = nil
    var friends: ToMany<Owner> = nil

    static var entityDescription: EntityDescription { schema.description }

    static var schema: RandomSchema {
        guard let schema = RandomSchema.current.withLock({ $0 }) else {
            preconditionFailure("no schema was chosen")
        }
        return schema
    }

    static func decode(_ row: borrowing RowReader) throws -> Thing {
        let thing = Thing()
        thing.id = row.id
        let properties = schema.properties
        for (index, property) in properties.enumerated() {
            thing.cells.append(try property.read(index, row))
        }
        thing.owner = try row.read(properties.count)
        thing.friends = try row.read(properties.count + 1)
        thing.tags = try row.read(properties.count + 2)
        return thing
    }

    func encode(into row: inout RowWriter) throws {
        let properties = Self.schema.properties
        for (index, property) in properties.enumerated() {
            try property.write(cells[index], index, &row)
        }
        try row.write(owner, at: properties.count)
        try row.write(friends, at: properties.count + 1)
        try row.write(tags, at: properties.count + 2)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// The target of relations of things.
final class Owner: Entity {
    var id: Id = 0
    var name = ""
    var rank: Int32?

    static let entityDescription = EntityDescription(
        "Owner",
        [.property("name", String.self, .index(.value)), .property("rank", Int32?.self, .index)],
        .backlink("things", \Thing.owner, "owner"))

    static func decode(_ row: borrowing RowReader) throws -> Owner {
        let owner = Owner()
        owner.id = row.id
        owner.name = try row.read(0)
        owner.rank = try row.read(1)
        return owner
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(rank, at: 1)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

extension RandomSchema.Property {
    func read(_ index: Int, _ row: borrowing RowReader) throws -> Cell? {
        // A closure cannot capture a borrowed reader, so this function is generic.
        func read<Value: CellValue>(
            _ type: Value.Type, _ row: borrowing RowReader
        ) throws -> Cell? {
            isOptional
                ? try row.read(index, as: Value?.self)?.cell : try row.read(index, as: type).cell
        }
        return try read(kind.type, row)
    }

    func write(_ cell: Cell?, _ index: Int, _ row: inout RowWriter) throws {
        func write<Value: CellValue>(_ type: Value.Type, _ row: inout RowWriter) throws {
            let value = cell.flatMap { Value($0) }
            if isOptional {
                try row.write(value, at: index)
            } else if let value {
                try row.write(value, at: index)
            }
        }
        try write(kind.type, &row)
    }
}
