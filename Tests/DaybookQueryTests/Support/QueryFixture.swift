import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTestSupport

/// A property value of any shape, as a test declares it.
indirect enum FixtureValue: Sendable, Equatable {
    case value(QueryValue)
    /// The elements of a list or set.
    case list([FixtureValue])
    case map([String: FixtureValue])
    case embedded([String: FixtureValue])

    static let null = FixtureValue.value(.null)
}

/// An object, as a test declares it.
struct FixtureObject: Sendable {
    var entity: String
    var id: UInt64
    /// The values by property name; an omitted property is missing in the row.
    var values: [String: FixtureValue] = [:]
    /// The targets by relation name; of lists the elements in order.
    var links: [String: [UInt64]] = [:]
}

/// An engine with a test's entities, their query model, and the stored objects.
final class QueryFixture {
    let engine: Engine
    private(set) var layouts: [String: EntityLayout] = [:]
    private(set) var model = QueryModel([])
    private(set) var objects: [String: [UInt64: FixtureObject]] = [:]
    /// The backlinks by entity and name, with the source entity and its property.
    private let backlinks: [String: [String: (source: String, property: String)]]

    /// - Parameter backlinks: by entity and name, the source entity and its property.
    init(
        _ declarations: [EntityDeclaration] = QueryFixture.declarations,
        backlinks: [String: [String: (source: String, property: String)]] = QueryFixture.backlinks,
        _ fileSystem: any FileSystem = MemoryFileSystem()
    ) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        options.log.preallocationStepBytes = 16 << 10
        self.backlinks = backlinks
        engine = try Engine.open("/queries", fileSystem, access: .write, options: options)
        try register(declarations)
    }

    /// Declares the entities, possibly with changes: later objects get the new layouts, and stored
    /// objects keep theirs.
    func register(_ declarations: [EntityDeclaration]) throws {
        for layout in try engine.register(declarations) { layouts[layout.entityName] = layout }
        model = QueryModel(layouts.values.map(entity))
    }

    func number(_ entity: String) -> UInt32 { layouts[entity]?.entityID ?? 0 }

    private func entity(_ layout: EntityLayout) -> QueryModel.Entity {
        var members: [String: QueryModel.Member] = layout.kind == .object ? ["": .id] : [:]
        for field in layout.fields {
            if let relation = field.relation {
                members[field.name] = .relation(
                    QueryRelation(
                        name: field.name, relationID: relation.relationID, isBackward: false,
                        isToOne: field.type == .toOne, isList: field.type == .objects,
                        target: relation.targetEntityID))
                continue
            }
            let embedded = [field.shape.entityName, field.shape.element?.entityName ?? ""]
            members[field.name] = .property(
                QueryProperty(
                    name: field.name, propertyID: field.propertyID, entity: layout.entityID,
                    shape: field.shape,
                    embeddedEntity: embedded.compactMap { layouts[$0]?.entityID }.first))
        }
        for (name, end) in backlinks[layout.entityName] ?? [:] {
            let field = layouts[end.source]?.fields.first { $0.name == end.property }
            members[name] = .relation(
                QueryRelation(
                    name: name, relationID: field?.relation?.relationID, isBackward: true,
                    isToOne: false, isList: field?.type == .objects, target: number(end.source)))
        }
        return QueryModel.Entity(
            name: layout.entityName, entity: layout.entityID, members: members)
    }

    // MARK: Objects

    /// Puts an object in its own transaction, or in the current transaction of the thread.
    @discardableResult
    func put(
        _ entity: String, id: UInt64 = 0, _ values: [String: FixtureValue] = [:],
        links: [String: [UInt64]] = [:]
    ) throws -> UInt64 {
        guard let layout = layouts[entity] else { return 0 }
        let row = try row(values, layout)
        let id = try engine.write { transaction in
            let id = try transaction.changes.put(
                layout.entityID, id, layout: layout.layoutID, row: row.span
            ).id
            for (name, targets) in links { try self.link(layout, name, id, targets, transaction) }
            return id
        }
        objects[entity, default: [:]][id] = FixtureObject(
            entity: entity, id: id, values: values, links: links)
        return id
    }

    /// Replaces the targets of a relation.
    func setLinks(_ entity: String, _ id: UInt64, _ name: String, _ targets: [UInt64]) throws {
        guard let layout = layouts[entity] else { return }
        try engine.write { try self.link(layout, name, id, targets, $0) }
        objects[entity]?[id]?.links[name] = targets
    }

    private func link(
        _ layout: EntityLayout, _ name: String, _ id: UInt64, _ targets: [UInt64],
        _ transaction: WriteTransaction
    ) throws {
        guard let field = layout.fields.first(where: { $0.name == name }),
            let relation = field.relation?.relationID
        else { return }
        switch field.type {
        case .toOne: try transaction.changes.setTarget(relation, id, targets.first)
        case .objects:
            let base = try transaction.changes.list(relation, id).map(\.position)
            _ = try transaction.changes.setList(
                relation, id, from: base,
                to: targets.map { ListPlacement(position: nil, target: $0) })
        default: for target in targets { try transaction.changes.link(relation, id, target) }
        }
    }

    // MARK: Bytes

    /// Returns the row of an object. A missing value is null even if it is required, as in a row
    /// that is older than the property.
    func row(
        _ values: [String: FixtureValue], _ layout: EntityLayout
    ) throws -> [UInt8] {
        var encoder = RowEncoder(RowLayout(layout))
        for (place, field) in layout.fields.enumerated() where field.relation == nil {
            guard let value = values[field.name], value != .null else { continue }
            let bytes = try bytes(value, field.shape)
            try encoder.set(value: bytes.span, at: place)
        }
        encoder.finish()
        var row = encoder.row.array
        for (place, field) in layout.fields.enumerated() where field.relation == nil {
            if values[field.name] == nil { row[1 + place / 8] |= 1 << UInt8(place % 8) }
        }
        return row
    }

    private func bytes(_ value: FixtureValue, _ shape: ValueShape) throws -> [UInt8] {
        switch value {
        case .value(let value): return Self.bytes(value, shape.type)
        case .list(let elements):
            let element = shape.element ?? ValueShape(.bytes)
            var encoded = try elements.map { $0 == .null ? nil : try bytes($0, element) }
            if shape.type == .set {
                encoded.sort { ($0 ?? []).lexicographicallyPrecedes($1 ?? []) }
            }
            return Self.list(encoded, element, keys: [])
        case .map(let pairs):
            let element = shape.element ?? ValueShape(.bytes)
            let keys = pairs.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let encoded = try keys.map { key in
                pairs[key] == .null ? nil : try pairs[key].map { try bytes($0, element) }
            }
            return Self.list(encoded, element, keys: keys)
        case .embedded(let values):
            guard let layout = layouts[shape.entityName] else { return [] }
            var writer = ByteWriter(capacity: 64)
            let row = try row(values, layout)
            EmbeddedValue.write(row.span, layout: layout.layoutID, to: &writer)
            return writer.bytes
        }
    }

    private static func list(
        _ elements: [[UInt8]?], _ shape: ValueShape, keys: [String]
    ) -> [UInt8] {
        var writer = ValueListWriter(
            of: shape.type, isOptional: shape.isOptional, count: elements.count, keys: keys)
        for element in elements {
            let bytes = element ?? []
            writer.append(bytes.span, isNull: element == nil)
        }
        return writer.span.array
    }

    static func bytes(_ value: QueryValue, _ type: FieldType) -> [UInt8] {
        if case .number(let number) = value, number.isNaN {
            return type == .float ? [0, 0, 0xC0, 0x7F] : [0, 0, 0, 0, 0, 0, 0xF8, 0x7F]
        }
        if case .stored(let bytes) = value { return bytes }
        if case .json(let json) = value { return json.text }
        return RowBytes.bytes(of: value, as: type) ?? []
    }
}

extension QueryFixture {
    /// The types of properties with a single value.
    static let valueTypes = FieldType.allCases.filter {
        !$0.isRelation && !$0.isCollection && $0 != .embedded && $0 != .json
    }

    /// Returns the property name of a type, such as `int8` and `int8Optional`.
    static func name(_ type: FieldType, isOptional: Bool) -> String {
        type.name + (isOptional ? "Optional" : "")
    }

    /// `Thing` has a property of every type, required and optional, collections, embedded values
    /// and relations; `Place` is embedded in it.
    static var declarations: [EntityDeclaration] {
        func field(_ name: String, _ shape: ValueShape) -> FieldDeclaration {
            FieldDeclaration(name: name, shape: shape)
        }
        var fields: [FieldDeclaration] = []
        for type in valueTypes {
            for isOptional in [false, true] {
                fields.append(
                    FieldDeclaration(
                        name: name(type, isOptional: isOptional), type: type,
                        isOptional: isOptional))
            }
        }
        let place = ValueShape(.embedded, entityName: "Place")
        var placeOptional = place
        placeOptional.isOptional = true
        fields += [
            field("numbers", ValueShape(.list, element: ValueShape(.int32))),
            field(
                "names",
                ValueShape(
                    .list, isOptional: true, element: ValueShape(.string, isOptional: true))),
            field("tags", ValueShape(.set, element: ValueShape(.string))),
            field("prices", ValueShape(.map, element: ValueShape(.double, isOptional: true))),
            field("places", ValueShape(.list, element: place)),
            field("home", place), field("work", placeOptional),
            field("owner", ValueShape(.toOne, isOptional: true, entityName: "Thing")),
            field("friends", ValueShape(.toMany, isOptional: true, entityName: "Thing")),
            field("playlist", ValueShape(.objects, isOptional: true, entityName: "Thing")),
        ]
        return [
            EntityDeclaration(
                name: "Place", kind: .embedded,
                fields: [
                    FieldDeclaration(name: "city", type: .string),
                    FieldDeclaration(name: "street", type: .string, isOptional: true),
                    FieldDeclaration(name: "number", type: .int16),
                ]),
            EntityDeclaration(name: "Thing", fields: fields),
        ]
    }

    static var backlinks: [String: [String: (source: String, property: String)]] {
        [
            "Thing": [
                "owned": ("Thing", "owner"), "friendOf": ("Thing", "friends"),
                "inPlaylists": ("Thing", "playlist"),
            ]
        ]
    }

    /// Returns the ids of the objects that match a condition, by evaluating each row without an
    /// index.
    func ids(_ condition: QueryCondition, of entity: String = "Thing") throws -> [UInt64] {
        let bound = try ConditionResolver(model).resolve(condition, of: number(entity))
        return try engine.query { access in
            let evaluator = RowEvaluator(bound, access)
            var found: [UInt64] = []
            try access.scan(number(entity)) { row, layout, id in
                if try evaluator.isTrue(of: row, layout: layout, id: id) { found.append(id) }
                return true
            }
            return found
        }
    }
}
