import DaybookBytes
import DaybookEngine
import DaybookRecords
import Synchronization

/// A conversion of stored objects for a changed declaration that the store cannot convert
/// automatically. See ``StoreOptions/migrations``.
///
/// Adding, removing, renaming and reordering properties needs no migration. A type that holds all
/// values of the old type needs none either. A string that becomes a number needs one:
///
/// ```swift
/// var options = StoreOptions()
/// options.migrations = [
///     .convert("Person", "age", from: String.self, to: Int.self) { old in Int(old ?? "") ?? 0 }
/// ]
/// ```
///
/// Migrations run at the opening that changes the layout, over all existing objects, in the
/// transaction that also changes the schema. So either all changes are made, or none. If they
/// exceed 16 MiB of rows or 100,000 objects, several transactions of that size make them; an
/// opening after an interruption continues with the next object. See <doc:SchemaEvolution>. A
/// closure may run again for an object whose conversion was not committed. History keeps the rows
/// as they were written. If a migration throws, the opening throws `.migrationFailed` with that
/// error as its cause. A migration cannot use a store (`.insideConversion`).
///
/// The names of a migration are checked before the opening writes anything, in new and in read-only
/// stores too. An unknown name is `.invalidArgument`; the error suggests the nearest known name.
/// ``convert(_:_:from:to:_:)`` and ``transform(_:toVersion:_:)`` accept the names of the entities
/// that the store is opened with. ``deleteData(_:)`` and ``forget(_:_:)`` accept every name that is
/// no longer declared. If the store never had that name, they do nothing, because a store that was
/// created after the removal has nothing to remove. If it resembles a stored name that is no longer
/// declared, it is `.invalidArgument`.
///
/// Unique values and primary keys are checked after the last migration, so objects may be
/// renumbered or exchange their values. If two objects then have the same value, the opening throws
/// `.uniqueViolation`, and changes nothing or keeps the steps of a large migration. If damage makes
/// the row of an object unreadable, it throws `.corruption`; remove that object with the previous
/// release of the program.
public struct Migration: Sendable {
    private let entity: String
    private let purpose: EntityMigration.Purpose
    private let body: @Sendable (inout MigratedObject, StoreTypes) throws -> Void

    /// Converts one property whose type has changed.
    ///
    /// It runs only if the stored type needs a conversion, so it may stay in the program.
    ///
    /// - Parameters:
    ///   - entity: the declared name of the entity.
    ///   - property: the declared stored name of the property.
    ///   - old: the type in the store.
    ///   - new: the declared type.
    ///   - body: makes the new value from the old value; nil if the object has no value.
    public static func convert<
        Old: PropertyValue & SendableMetatype, New: PropertyValue & SendableMetatype
    >(
        _ entity: String, _ property: String, from old: Old.Type, to new: New.Type,
        _ body: @escaping @Sendable (Old?) throws -> New
    ) -> Migration {
        Migration(entity: entity, purpose: .convert(property: property)) { object, types in
            let before = MigrationRow(before: object, types)
            var after = MigrationRow(after: object, types)
            let number = after.field(property)?.propertyID
            let place = number.flatMap { object.old.numbers[$0] } ?? object.old.places[property]
            let value = try place.flatMap { place in
                try before.value(place, property, as: Old?.self)
            }
            try after.set(property, to: try body(value))
            after.finish(&object)
        }
    }

    /// Converts whole objects.
    ///
    /// Without a version it runs whenever the entity's properties change, so remove it from the
    /// program before the next change. With a version it runs once in the life of a store, at the
    /// opening that raises the schema to that version or a higher one.
    ///
    /// If the new type of a property does not hold its old values, `body` must set it for every
    /// object that has a value; otherwise the opening throws `.schemaMismatch`.
    ///
    /// - Parameters:
    ///   - entity: the declared name of the entity.
    ///   - version: at most ``StoreOptions/schemaVersion``.
    ///   - body: changes the new object. It receives the old object, and the new object with all
    ///     automatic conversions applied.
    public static func transform(
        _ entity: String, toVersion version: UInt64? = nil,
        _ body: @escaping @Sendable (_ old: MigrationRow, _ new: inout MigrationRow) throws -> Void
    ) -> Migration {
        Migration(entity: entity, purpose: .transform(version: version)) { object, types in
            var after = MigrationRow(after: object, types)
            try body(MigrationRow(before: object, types), &after)
            after.finish(&object)
        }
    }

    /// Removes all objects of an entity that is no longer declared. Without this migration they
    /// stay in the store, and can be read again once the entity is declared again.
    ///
    /// - Parameter entity: the name of the entity in the store.
    public static func deleteData(_ entity: String) -> Migration {
        Migration(entity: entity, purpose: .delete) { _, _ in }
    }

    /// Drops the values of a property that is no longer declared.
    ///
    /// Without this migration a replaced object keeps them, in case the property is declared again,
    /// so each put of the entity reads the row that it replaces. With it they remain in history,
    /// and in objects that are not replaced.
    ///
    /// - Parameters:
    ///   - entity: the declared name of the entity.
    ///   - property: the name of the property in the store.
    public static func forget(_ entity: String, _ property: String) -> Migration {
        Migration(entity: entity, purpose: .forget(property: property)) { _, _ in }
    }

    func made(_ context: MigrationContext) -> EntityMigration {
        EntityMigration(entity, purpose) { object in
            guard let types = context.types else { return }
            try body(&object, types)
        }
    }
}

/// The types of the store that is being opened; set once its layouts are known.
final class MigrationContext: Sendable {
    private let known = Mutex<StoreTypes?>(nil)

    var types: StoreTypes? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
