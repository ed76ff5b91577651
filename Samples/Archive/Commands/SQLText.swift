import Daybook

/// Exports the store as SQL statements for SQLite, to compare sizes: one table with typed columns
/// per entity, with the id as the key, and one table for the links between packages. There are no
/// other indexes.
struct SQLText {
    let store: Store

    /// Calls `write` with each part of the text.
    func run(_ write: (String) -> Void) throws {
        write(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE maintainer (id INTEGER PRIMARY KEY, text TEXT);
            CREATE TABLE section (id INTEGER PRIMARY KEY, path TEXT, parent INTEGER);
            CREATE TABLE dependsOn (
              source INTEGER, target INTEGER, PRIMARY KEY (source, target)) WITHOUT ROWID;
            CREATE TABLE package (
              id INTEGER PRIMARY KEY, list TEXT, name TEXT, version TEXT, architecture TEXT,
              source TEXT, priority TEXT, multiArch TEXT, homepage TEXT, summary TEXT,
              summaryMD5 BLOB, tags TEXT, depends TEXT, preDepends TEXT, recommends TEXT,
              suggests TEXT, enhances TEXT, breaks TEXT, conflicts TEXT, replaces TEXT,
              provides TEXT, builtUsing TEXT, installedSizeKiB INTEGER, size INTEGER,
              fileName TEXT, md5 BLOB, sha256 BLOB, others TEXT, maintainer INTEGER,
              section INTEGER);
            BEGIN;

            """)
        func insert(_ table: String, _ values: [String]) {
            write("INSERT INTO \(table) VALUES(\(values.joined(separator: ",")));\n")
        }
        try store.box(for: Maintainer.self).forEach { maintainer in
            insert("maintainer", [String(maintainer.id), Self.text(maintainer.text)])
        }
        try store.box(for: Section.self).forEach { section in
            insert(
                "section",
                [String(section.id), Self.text(section.path), Self.id(section.parent.targetId)])
        }
        try store.box(for: DebianPackage.self).forEach { package in
            insert("package", Self.values(package))
            for target in try package.dependsOn.getUncachedIdsFromDb() {
                insert("dependsOn", [String(package.id), Self.id(target)])
            }
        }
        write("COMMIT;\nPRAGMA wal_checkpoint(TRUNCATE);\n")
    }

    private static func values(_ package: DebianPackage) -> [String] {
        let fields = package.fields
        return [
            String(package.id), text(fields.list), text(fields.name), text(fields.version),
            text(fields.architecture), text(fields.source), text(fields.priority),
            text(fields.multiArch), text(fields.homepage), text(fields.summary),
            blob(fields.summaryMD5), text(fields.tags), text(fields.depends),
            text(fields.preDepends), text(fields.recommends), text(fields.suggests),
            text(fields.enhances), text(fields.breaks), text(fields.conflicts),
            text(fields.replaces), text(fields.provides), text(fields.builtUsing),
            number(fields.installedSizeKiB), number(fields.size), text(fields.fileName),
            blob(fields.md5), blob(fields.sha256), text(fields.others),
            id(package.maintainer.targetId), id(package.section.targetId),
        ]
    }

    private static func id<E: Entity>(_ value: EntityId<E>?) -> String {
        value.map { String($0.value) } ?? "NULL"
    }

    private static func text(_ value: String?) -> String {
        guard let value else { return "NULL" }
        return "'"
            + value.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }

    private static func number(_ value: Int?) -> String { value.map(String.init) ?? "NULL" }

    private static func blob(_ value: [UInt8]?) -> String {
        value.map { "X'\($0.hexadecimal)'" } ?? "NULL"
    }
}
