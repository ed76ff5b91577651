import DaybookBytes
import DaybookEngine
import DaybookQuery
import DaybookRecords
import DaybookRows

/// The values of some properties of an object, by their Swift names, as values and objects of any
/// type.
struct GivenValues {
    /// The values by the names in the store.
    private(set) var values: [String: RowValue] = [:]
    /// The objects of a relation, with their keys if it is a map.
    struct Targets {
        var objects: [any Entity]
        var keys: [String]?
    }

    /// The objects of the relations by the names in the store.
    private(set) var targets: [String: Targets] = [:]

    /// Throws `.invalidArgument` for an unknown property, and for a value that cannot be stored.
    init(_ given: [String: Any], of description: EntityDescription) throws {
        for (name, value) in given {
            guard let property = description.properties.first(where: { $0.declaredName == name })
            else { throw Self.unknown(name, description) }
            if property.type.target != nil {
                targets[property.name] =
                    property.type.hasKeys
                    ? try Self.keyedObjects(value, of: name)
                    : Targets(objects: try Self.objects(value, of: name))
            } else {
                values[property.name] = try Self.stored(value, of: name)
            }
        }
    }

    private static func objects(_ value: Any, of name: String) throws -> [any Entity] {
        if let object = value as? any Entity { return [object] }
        if let value = value as? any OptionalValue, isNil(value) { return [] }
        guard let sequence = value as? any Sequence,
            let objects = elements(sequence) as? [any Entity]
        else { throw unsuitable(value, name, "Give an object, or an array of objects.") }
        return objects
    }

    private static func keyedObjects(_ value: Any, of name: String) throws -> Targets {
        let remedy = "Give a dictionary of objects by String."
        guard let members = value as? [String: Any] else { throw unsuitable(value, name, remedy) }
        var targets = Targets(objects: [], keys: [])
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            if let value = value as? any OptionalValue, isNil(value) { continue }
            guard let object = value as? any Entity else { throw unsuitable(value, name, remedy) }
            targets.objects.append(object)
            targets.keys?.append(key)
        }
        return targets
    }

    private static func stored(_ value: Any, of name: String) throws -> RowValue {
        if let value = value as? any PropertyValue, !(value is any Embedded) {
            return try RowValue(value)
        }
        if let members = value as? [String: Any] {
            return .map(try members.mapValues { try stored($0, of: name) })
        }
        guard let sequence = value as? any Sequence else {
            throw unsuitable(
                value, name,
                "Give a value that can be stored, or the members of an embedded value as a"
                    + " dictionary.")
        }
        return .list(try elements(sequence).map { try stored($0, of: name) })
    }

    private static func elements(_ sequence: some Sequence) -> [Any] { sequence.map { $0 } }

    private static func isNil<Value: OptionalValue>(_ value: Value) -> Bool {
        (value as Any as? Value.Wrapped) == nil
    }

    private static func unknown(_ name: String, _ description: EntityDescription) -> DaybookError {
        let names = description.properties.map(\.declaredName)
        return DaybookError(
            .invalidArgument,
            "\(description.name) has no property '\(name)'."
                + NearName.question(name, among: names)
                + " It has: \(names.sorted().joined(separator: ", ")).",
            details: ["entity": description.name, "property": name])
    }

    private static func unsuitable(
        _ value: Any, _ name: String, _ remedy: String
    ) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "A \(type(of: value)) cannot be the value of '\(name)'. \(remedy)",
            details: ["property": name])
    }
}

extension EntityBinding {
    /// Returns the values of an object by the names of its properties.
    fileprivate func values(
        of object: some Storable, _ types: StoreTypes
    ) throws -> [String: RowValue] {
        var writer = RowWriter(layout, types)
        writer.begin(replacing: nil)
        try object.encode(into: &writer)
        writer.encoder.finish()
        let row = writer.encoder.row.array
        let values = try RowValueDecoder(types.engine.schemas).values(row.span, layout)
        let names = layout.layout.fields.filter { !$0.type.isRelation }.map(\.name)
        return Dictionary(zip(names, values)) { first, _ in first }
    }

    /// Whether the property with a stored name is a list.
    fileprivate func isList(_ name: String) -> Bool {
        layout.layout.fields.contains { $0.name == name && $0.type == .list }
    }
}

extension Store {
    /// Stores an object with given values, and returns it as it is stored.
    ///
    /// A new object has the values of `initial` for its other properties. If there is an object
    /// with its primary key, `policy` decides: the object keeps its other values. Objects of
    /// relations that are not stored yet are stored, too.
    ///
    /// Throws `.invalidArgument` for an unknown property, a value that cannot be stored, and a
    /// policy other than `.error` for an entity without a primary key; `.invalidValue` for a value
    /// that does not fit; `.uniqueViolation`; and the errors of a put.
    package func create<E: Entity>(
        _ initial: E, _ given: [String: Any], update policy: UpsertPolicy
    ) throws -> E {
        let given = try GivenValues(given, of: E.entityDescription)
        let binding = try types.binding(of: E.self)
        if policy != .error { try binding.requirePrimaryKey() }
        let box = box(for: E.self)
        return try write {
            let links = try given.targets.mapValues { targets in
                (ids: try targets.objects.map { try stored($0, policy) }, keys: targets.keys)
            }
            let id = try engine.operate { transaction in
                let form = try RowForm(binding.name, engine.schemas)
                let whole = try binding.values(of: initial, types).merging(given.values) { $1 }
                let rows = try RowPut(form)
                let options = binding.completed(PutOptions(upsert: policy))
                let stored = try rows.storedId(whole, id: 0, in: transaction)
                let outcome =
                    stored == 0 || policy == .error
                    ? try rows.put(whole, id: 0, options, in: transaction)
                    : try rows.put(given.values, id: stored, options, in: transaction)
                for (name, targets) in links {
                    try form.setTargets(
                        of: try form.relation(name), from: outcome.id, to: targets.ids,
                        keys: targets.keys, in: transaction)
                }
                return outcome.id
            }
            guard let object = try box.get(id) else { throw Self.vanished(binding.name, id) }
            return object
        }
    }

    /// Returns the id of an object. Stores it first if it has none.
    private func stored<E: Entity>(_ object: E, _ policy: UpsertPolicy) throws -> Id {
        if object.entityId != 0 { return object.entityId }
        return try box(for: E.self).put(CollectionOfOne(object), PutOptions(upsert: policy))[0]
    }

    private static func vanished(_ entity: String, _ id: Id) -> DaybookError {
        DaybookError(
            .notFound, "The new '\(entity)' with id \(id) was ignored by a unique property.",
            details: ["entity": entity, "id": String(id)])
    }

    /// Appends an event with given values. The other values are those of `initial`. Throws
    /// `.invalidArgument` for an unknown property or a value that cannot be stored, `.invalidValue`
    /// for a value that does not fit, and the errors of `append`. Objects of relations that are not
    /// stored yet are stored, too.
    package func append<E: Event>(_ initial: E, _ given: [String: Any]) throws {
        let given = try GivenValues(given, of: E.entityDescription)
        let binding = try types.binding(of: E.self)
        try write {
            var values = try binding.values(of: initial, types).merging(given.values) { $1 }
            for (name, targets) in given.targets {
                let ids = try targets.objects.map {
                    RowValue.integer(Int128(try stored($0, .error)))
                }
                let isList = binding.isList(name)
                guard isList || ids.count <= 1 else { throw Self.severalTargets(name) }
                values[name] = isList ? .list(ids) : ids.first ?? .null
            }
            try append(values, binding)
        }
    }

    private static func severalTargets(_ name: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(name)' links to at most one object, and several are given. Give one object.",
            details: ["property": name])
    }

    private func append(_ values: [String: RowValue], _ binding: EntityBinding) throws {
        let encoder = RowValueEncoder(engine.schemas)
        var row = RowEncoder(binding.layout)
        for (index, field) in binding.layout.layout.fields.enumerated() {
            guard let value = values[field.name] else { continue }
            try encoder.set(value, field, at: index, in: &row)
        }
        row.finish()
        let bytes = row.row.array
        try engine.operate { transaction in
            _ = try transaction.changes.append(
                binding.entity, layout: binding.layoutID, row: bytes.span)
        }
    }
}

extension Box {
    /// Stores objects in one transaction, and returns their ids. `policy` also applies to the new
    /// objects in their relations. For an entity without a primary key it must be `.error`.
    /// Throws as `put` with a policy.
    package func add(
        _ objects: some Collection<E>, _ policy: UpsertPolicy
    ) throws -> [Id] {
        if policy != .error { try binding().requirePrimaryKey() }
        return try put(objects, PutOptions(upsert: policy))
    }
}
