import DaybookBytes
import DaybookEngine
import DaybookRecords
import Synchronization

/// What becomes of stored objects where a declaration changes in a way that the store cannot follow
/// by itself: ``StoreOptions/migrations``.
///
/// Adding, removing, renaming and reordering properties needs no migration, nor does a type that
/// holds all values of the old one. A text that becomes a number does:
///
/// ```swift
/// var options = StoreOptions()
/// options.migrations = [
///     .convert("Person", "age", from: String.self, to: Int.self) { old in Int(old ?? "") ?? 0 }
/// ]
/// ```
///
/// Migrations run at the opening that changes the layout, over all living objects, in the one
/// transaction that also changes the schema: all of it happens or nothing. So a migration of *n*
/// objects holds *n* rows in memory until it ends, and their unique values as well. History stays
/// as it was written. A migration that throws ends the opening with `.migrationFailed`, whose cause
/// is what was thrown; inside one no store can be used (`.insideConversion`).
///
/// Unique values and primary keys count at the end of all migrations: objects may be renumbered, or
/// exchange their values. Where two have the same value then, the opening ends with
/// `.uniqueViolation`, and the store is as it was. So it is where damage makes the row of an object
/// unreadable (`.corruption`): remove that object with the program as it was.
public struct Migration: Sendable {
    private let entity: String
    private let purpose: EntityMigration.Purpose
    private let body: @Sendable (inout MigratedObject, StoreTypes) throws -> Void

    /// Converts one property whose type has changed.
    ///
    /// It runs only where the store has the property with a type that is not converted by itself,
    /// so it may stay in the program for good.
    ///
    /// - Parameters:
    ///   - entity: the name that the entity is declared under.
    ///   - property: the stored name that the property is declared under.
    ///   - old: the type that the store has.
    ///   - new: the type that is declared.
    ///   - body: makes the new value of the old one; nil where the object has none.
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
    /// program before the next change, or give a version: then it runs once in the life of a store,
    /// at the opening that brings its schema to that version or beyond.
    ///
    /// Where a property's new type does not hold its old values, `body` has to set it, for every
    /// object that has a value: else the opening ends with `.schemaMismatch`.
    ///
    /// - Parameters:
    ///   - entity: the name that the entity is declared under.
    ///   - version: at most ``StoreOptions/schemaVersion``.
    ///   - body: gets the object as it was, and as it is with everything converted that is
    ///     converted by itself; changes the latter.
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

    /// Removes all objects of an entity that is not declared any more. Without it they stay in the
    /// store, unread, and are there again when the entity is.
    ///
    /// - Parameter entity: the name that the store has.
    public static func deleteData(_ entity: String) -> Migration {
        Migration(entity: entity, purpose: .delete) { _, _ in }
    }

    /// Gives the values of a property up that is not declared any more.
    ///
    /// Without it an object keeps them when it is replaced, for the case that the property is
    /// declared again; so each put of the entity reads what it replaces. With it they stay in
    /// history alone, and in objects that are not replaced.
    ///
    /// - Parameters:
    ///   - entity: the name that the entity is declared under.
    ///   - property: the name that the store has.
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

/// The types of the store that is being opened, once its layouts are known.
final class MigrationContext: Sendable {
    private let known = Mutex<StoreTypes?>(nil)

    var types: StoreTypes? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
