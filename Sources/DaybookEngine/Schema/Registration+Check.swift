package import DaybookBytes
import DaybookRecords

extension Registration {
    /// Checks the migrations against the declarations, without a store.
    ///
    /// Throws `.invalidArgument` for a step that names an unknown entity or property, that
    /// contradicts a declaration, or whose version is above the program's. A step that converts
    /// objects runs for declared entities only, so its names must be declared. An undeclared name
    /// would be skipped, and a version that was skipped never runs again.
    package func check() throws(DaybookError) {
        for migration in migrations { try check(migration) }
    }

    private func check(_ migration: EntityMigration) throws(DaybookError) {
        let declaration = declarations.first { $0.name == migration.entity }
        switch migration.purpose {
        case .delete:
            guard declaration == nil else {
                throw migration.invalid(
                    "A migration deletes the objects of \(migration.entity), which is declared."
                        + " Remove the migration, or the declaration.")
            }
        case .convert(let property):
            let fields = try objects(declaration, migration).fields.map(\.name)
            guard fields.contains(property) else {
                throw migration.unknown(property, among: fields)
            }
        case .transform(let version):
            _ = try objects(declaration, migration)
            if let version, version > schemaVersion {
                throw migration.invalid(
                    "A migration of \(migration.entity) targets version \(version) of the"
                        + " schema, but the program's version is \(schemaVersion). Raise the"
                        + " version in the store's options.", ["version": String(version)])
            }
        case .forget(let property):
            let fields = try declared(declaration, migration).fields
            guard !fields.contains(where: { $0.name == property }) else {
                throw migration.invalid(
                    "A migration drops the property \(property) of \(migration.entity), which is"
                        + " declared. Remove the migration, or the declaration.",
                    ["property": property])
            }
        }
    }

    private func declared(
        _ declaration: EntityDeclaration?, _ migration: EntityMigration
    ) throws(DaybookError) -> EntityDeclaration {
        if let declaration { return declaration }
        throw migration.invalid(
            "A migration names the entity '\(migration.entity)', which the store was not opened"
                + " with. Correct the name, or remove the migration."
                + NearName.question(migration.entity, among: declarations.map(\.name)))
    }

    private func objects(
        _ declaration: EntityDeclaration?, _ migration: EntityMigration
    ) throws(DaybookError) -> EntityDeclaration {
        let declaration = try declared(declaration, migration)
        if declaration.kind == .object { return declaration }
        throw migration.invalid(
            "A migration converts \(migration.entity), which has no objects of its own. If a"
                + " property of an embedded type has a new type, give it a new name, and set it in"
                + " a transformation of the objects that contain the values. Events stay as they"
                + " are.")
    }

    /// Checks the names of removed entities and properties against the stored schema.
    ///
    /// A store that was created after the removal never had the name, so an unknown name alone is
    /// legal: there is nothing to remove. Throws `.invalidArgument` if the unknown name resembles
    /// a stored name that neither a declaration nor another step uses.
    func check(against schema: Schema) throws(DaybookError) {
        for migration in migrations {
            switch migration.purpose {
            case .delete:
                guard schema.entity(onceNamed: migration.entity) == nil else { continue }
                let names = schema.entities.map(\.name).filter { !isUsed($0) }
                if let near = NearName.nearest(to: migration.entity, among: names) {
                    throw migration.invalid(
                        "A migration deletes the objects of '\(migration.entity)', which the store"
                            + " never had. Did you mean '\(near)'? Correct the name, or remove the"
                            + " migration.")
                }
            case .forget(let property):
                try check(forgetting: property, migration, schema)
            case .convert, .transform: break
            }
        }
    }

    private func check(
        forgetting property: String, _ migration: EntityMigration, _ schema: Schema
    ) throws(DaybookError) {
        guard let declaration = declarations.first(where: { $0.name == migration.entity }),
            let entity = ([declaration.name] + declaration.formerNames).lazy
                .compactMap({ schema.entity(onceNamed: $0) }).first
        else { return }
        let stored = Set(schema.layouts(ofEntity: entity.id).flatMap { $0.fields.map(\.name) })
        guard !stored.contains(property) else { return }
        let declared = declaration.fields.flatMap { [$0.name] + $0.formerNames }
        let names = stored.subtracting(declared).filter { name in
            !migrations.contains {
                $0.entity == migration.entity && $0.purpose == .forget(property: name)
            }
        }
        guard NearName.nearest(to: property, among: names.sorted()) != nil else { return }
        throw migration.unknown(property, among: names)
    }

    /// Whether a declaration or a migration names the entity.
    private func isUsed(_ name: String) -> Bool {
        declarations.contains { $0.name == name || $0.formerNames.contains(name) }
            || migrations.contains { $0.entity == name }
    }
}

extension EntityMigration {
    fileprivate func invalid(
        _ message: String, _ details: [String: String] = [:]
    ) -> DaybookError {
        DaybookError(
            .invalidArgument, message,
            details: details.merging(["entity": entity]) { first, _ in first })
    }

    fileprivate func unknown(_ property: String, among names: some Sequence<String>) -> DaybookError
    {
        invalid(
            "A migration names the property '\(property)', which \(entity) does not have. Correct"
                + " the name, or remove the migration." + NearName.question(property, among: names),
            ["property": property])
    }
}
