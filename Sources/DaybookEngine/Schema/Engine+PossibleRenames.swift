package import DaybookBytes
package import DaybookRecords

extension Engine {
    /// Returns the renames that an opening with these declarations would not recognize; see
    /// ``Schema/possibleRenames(to:hasRows:isMigrated:)``. Call it before
    /// ``register(_:willMigrate:)``, which stores the new layouts. Empty for a read-only store,
    /// which changes no layout.
    ///
    /// Throws the errors of comparing the declarations with the stored schema.
    package func possibleRenames(
        _ registration: Registration
    ) throws(DaybookError) -> [PossibleRename] {
        guard !isFollowing else { return [] }
        let schema = schemas.schema
        let reconciliation = try schema.reconcile(
            registration.declarations, intents: registration.intents,
            version: registration.schemaVersion, hasRows: hasRows)
        return schema.possibleRenames(to: reconciliation.layouts, hasRows: hasRows) {
            entity, property in
            registration.migrations.contains { migration in
                guard migration.entity == entity else { return false }
                switch migration.purpose {
                case .transform(let version): return version.map { $0 > schema.version } ?? true
                case .convert(let name), .forget(let name): return name == property
                case .delete: return property == nil
                }
            }
        }
    }
}
