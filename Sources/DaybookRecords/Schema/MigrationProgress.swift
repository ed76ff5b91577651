import DaybookBytes

/// The progress of a migration that is committed in steps: a note in the newest layout of an
/// entity.
///
/// The layout is new with the migration, and has no unique indexes. Objects below ``nextId`` have
/// rows that the migration has seen; the others are as before. Each step repeats the schema record
/// of the layout with a higher id. The next layout of the entity ends the migration.
package struct MigrationProgress: Sendable, Equatable {
    /// A conversion of the program; see the engine's migrations.
    package enum Step: Hashable, Sendable {
        /// Converts a property.
        case convert(String)
        /// Converts objects, at a version of the schema or at every change.
        case transform(UInt64?)
    }

    /// The program's version of its schema. It counts as reached when the migration ends.
    package var version: UInt64
    /// The conversions, each with the number of times that the program has it.
    package var steps: [Step: Int]
    /// The names of the properties that a conversion must set, by their numbers before.
    package var retyped: [UInt32: String]
    /// The first object that is not converted, or ``complete``.
    package var nextId: UInt64 = 1

    package init(version: UInt64, steps: [Step: Int], retyped: [UInt32: String]) {
        self.version = version
        self.steps = steps
        self.retyped = retyped
    }

    /// The next id after all objects were converted.
    package static let complete = UInt64.max

    /// Whether all objects are converted.
    package var isComplete: Bool { nextId == Self.complete }

    /// The progress after the conversion of the objects below `nextId`.
    package func advanced(to nextId: UInt64) -> MigrationProgress {
        var progress = self
        progress.nextId = nextId
        return progress
    }
}

// As attributes of a layout. Names of properties are keys or values of their own, because they may
// contain any characters.
extension MigrationProgress {
    private static let prefix = "migration."
    private static let nextKey = "migration.next"
    private static let versionKey = "migration.version"
    private static let conversionPrefix = "migration.convert."
    private static let changeKey = "migration.transform"
    private static let versionPrefix = "migration.transform."
    private static let retypedPrefix = "migration.retyped."

    /// The attributes of a layout that contain the progress.
    package var attributes: [String: String] {
        var attributes = [Self.nextKey: String(nextId), Self.versionKey: String(version)]
        for (step, count) in steps { attributes[Self.key(step)] = String(count) }
        for (number, name) in retyped { attributes[Self.retypedPrefix + String(number)] = name }
        return attributes
    }

    private static func key(_ step: Step) -> String {
        switch step {
        case .convert(let property): conversionPrefix + property
        case .transform(nil): changeKey
        case .transform(let version?): versionPrefix + String(version)
        }
    }

    /// The progress in the attributes of a layout; nil if the layout has none. Throws `.corruption`
    /// for attributes of another form.
    init?(in layout: EntityLayout) throws(DaybookError) {
        guard let next = layout.attributes[Self.nextKey] else { return nil }
        func number<Number: FixedWidthInteger>(
            _ text: some StringProtocol
        ) throws(DaybookError) -> Number {
            guard let number = Number(text) else {
                throw layout.contradiction("the progress of its migration is not a number")
            }
            return number
        }
        nextId = try number(next)
        version = try number(layout.attributes[Self.versionKey] ?? "")
        steps = [:]
        retyped = [:]
        for (key, value) in layout.attributes where key.hasPrefix(Self.prefix) {
            if key.hasPrefix(Self.retypedPrefix) {
                retyped[try number(key.dropFirst(Self.retypedPrefix.count))] = value
            } else if key.hasPrefix(Self.conversionPrefix) {
                let property = String(key.dropFirst(Self.conversionPrefix.count))
                steps[.convert(property)] = try number(value)
            } else if key == Self.changeKey {
                steps[.transform(nil)] = try number(value)
            } else if key.hasPrefix(Self.versionPrefix) {
                let version: UInt64 = try number(key.dropFirst(Self.versionPrefix.count))
                steps[.transform(version)] = try number(value)
            }
        }
    }
}

extension EntityLayout {
    /// The layout with the progress of a migration.
    package func noting(_ progress: MigrationProgress) -> EntityLayout {
        var layout = self
        layout.attributes.merge(progress.attributes) { $1 }
        return layout
    }

    /// The layout at the beginning of its migration, if it has one: no object counts as converted.
    package var restartingMigration: EntityLayout {
        get throws(DaybookError) {
            guard let progress = try MigrationProgress(in: self) else { return self }
            return noting(progress.advanced(to: 1))
        }
    }

    /// Whether a schema record with this layout only notes the progress of a migration: an earlier
    /// record has defined the layout.
    package var isRepeated: Bool {
        get throws(DaybookError) { try MigrationProgress(in: self).map { $0.nextId > 1 } ?? false }
    }
}
