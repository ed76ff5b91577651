import Daybook

/// The store's packages as statements for SQLite, so that sizes can be compared: the same columns,
/// typed, in one table with the id as its key.
struct SQLText {
    let store: Store

    /// Gives the text to `write`, piece by piece.
    func run(_ write: (String) -> Void) throws {
        write(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE package (
              id INTEGER PRIMARY KEY, list TEXT, name TEXT, version TEXT, architecture TEXT,
              source TEXT, section TEXT, priority TEXT, multiArch TEXT, maintainer TEXT,
              homepage TEXT, summary TEXT, summaryMD5 BLOB, tags TEXT, depends TEXT,
              preDepends TEXT, recommends TEXT, suggests TEXT, enhances TEXT, breaks TEXT,
              conflicts TEXT, replaces TEXT, provides TEXT, builtUsing TEXT,
              installedSizeKiB INTEGER, size INTEGER, fileName TEXT, md5 BLOB, sha256 BLOB,
              others TEXT);
            BEGIN;

            """)
        try store.box(for: DebianPackage.self).forEach { package in
            write("INSERT INTO package VALUES(\(Self.values(package).joined(separator: ",")));\n")
        }
        write("COMMIT;\nPRAGMA wal_checkpoint(TRUNCATE);\n")
    }

    private static func values(_ package: DebianPackage) -> [String] {
        [
            String(package.id), text(package.list), text(package.name), text(package.version),
            text(package.architecture), text(package.source), text(package.section),
            text(package.priority), text(package.multiArch), text(package.maintainer),
            text(package.homepage), text(package.summary), blob(package.summaryMD5),
            text(package.tags), text(package.depends), text(package.preDepends),
            text(package.recommends), text(package.suggests), text(package.enhances),
            text(package.breaks), text(package.conflicts), text(package.replaces),
            text(package.provides), text(package.builtUsing), number(package.installedSizeKiB),
            number(package.size), text(package.fileName), blob(package.md5), blob(package.sha256),
            text(package.others),
        ]
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
