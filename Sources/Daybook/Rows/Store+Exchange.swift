#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine
import DaybookQuery
public import DaybookRows

extension Store {
    /// Imports the records of a file as objects of an entity: all of them in one transaction, or
    /// none.
    ///
    /// Every record is read and checked, even after a bad one. If a record is bad, nothing is
    /// imported, and the error has the number of bad records and the first line.
    /// ``ImportOptions/problem`` is called for each of them.
    ///
    /// - Parameters:
    ///   - entityName: the entity.
    ///   - file: the file URL of a regular file.
    ///   - format: the format of the file.
    ///   - options: the meaning of the columns, and the treatment of stored objects.
    /// - Returns: the numbers of records, of new, replaced and skipped objects.
    /// - Throws: `.invalidValue` for bad records, with `"line"`, `"reason"` and `"problems"` in its
    ///   details; `.invalidArgument` for an unknown entity or column; `.fileNotFound`; and the
    ///   errors of every write. Nothing is changed then.
    /// - Complexity: memory for the encoded rows of all objects, about 500 bytes for each object
    ///   and 400 bytes for each link, because one transaction stores everything; and for one record
    ///   of the text, which is read in pieces. Writers wait until the import ends.
    @discardableResult
    public func importRows(
        into entityName: String, from file: URL, format: ExchangeFormat,
        options: ImportOptions = ImportOptions()
    ) throws -> ImportReport {
        try RowImport(into: entityName, format, options, engine).run(
            file: try file.pathOfRows, in: RealFileSystem())
    }

    /// Writes the rows of a text query to a file, which is replaced. `Person` alone writes all
    /// objects of an entity, with their ids and links, which an import reads.
    ///
    /// The file appears when it is complete. The rows are of one version, that of the running
    /// transaction if there is one. Returns the number of rows. Throws as ``query(_:arguments:)``,
    /// and `.outOfSpace`, `.permissionDenied` or `.inputOutput` if the file cannot be written.
    /// `progress` receives the number of rows, after each 256 KiB.
    /// Memory: one row, and the groups of a grouped query.
    @discardableResult
    public func exportRows(
        _ query: String, to file: URL, format: ExchangeFormat,
        progress: (_ rowCount: Int) -> Void = { _ in }
    ) throws -> Int {
        try types.exportRows(query, to: try file.pathOfRows, format, progress)
    }

    /// `importRows` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled before all records were stored; nothing is changed then.
    @discardableResult
    public nonisolated(nonsending) func importRows(
        into entityName: String, from file: URL, format: ExchangeFormat,
        options: ImportOptions = ImportOptions()
    ) async throws -> ImportReport {
        let store = self
        return try await engine.write { _ in
            try store.importRows(into: entityName, from: file, format: format, options: options)
        }
    }

    /// `exportRows` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled; the file is unchanged then.
    @discardableResult
    public nonisolated(nonsending) func exportRows(
        _ query: String, to file: URL, format: ExchangeFormat,
        progress: @escaping @Sendable (_ rowCount: Int) -> Void = { _ in }
    ) async throws -> Int {
        let store = self
        return try await engine.readElsewhere {
            try store.exportRows(query, to: file, format: format, progress: progress)
        }
    }
}

extension StoreView {
    /// Writes the rows of a text query over this version to a file. As
    /// ``Store/exportRows(_:to:format:progress:)``.
    @discardableResult
    public func exportRows(
        _ query: String, to file: URL, format: ExchangeFormat,
        progress: (_ rowCount: Int) -> Void = { _ in }
    ) throws -> Int {
        try types.exportRows(query, to: try file.pathOfRows, format, progress)
    }
}

extension StoreView {
    /// `exportRows` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled; the file is unchanged then.
    @discardableResult
    public nonisolated(nonsending) func exportRows(
        _ query: String, to file: URL, format: ExchangeFormat,
        progress: @escaping @Sendable (_ rowCount: Int) -> Void = { _ in }
    ) async throws -> Int {
        let view = self
        return try await types.engine.readElsewhere {
            try view.exportRows(query, to: file, format: format, progress: progress)
        }
    }
}

extension StoreTypes {
    /// Writes rows to a temporary file and renames it.
    fileprivate func exportRows(
        _ query: String, to path: String, _ format: ExchangeFormat, _ progress: (Int) -> Void
    ) throws -> Int {
        try requireOpen()
        let export = try RowExport(query, as: format, engine.schemas)
        let (disk, temporary) = (RealFileSystem(), path + ".partial")
        let file = try disk.open(temporary, .replace)
        do {
            defer { file.close() }
            var lines = ExportedLines(file)
            // The first line of a CSV file has the names.
            var rowCount = format == .csv ? -1 : 0
            let count = try self.query { access in
                try export.forEachLine(access) { line in
                    let isWritten = try lines.write(line)
                    rowCount += 1
                    if isWritten { progress(rowCount) }
                }
            }
            try lines.flush()
            try file.sync()
            try disk.rename(temporary, to: path)
            return count
        } catch {
            try? disk.remove(temporary)
            throw error
        }
    }
}

extension URL {
    /// The path of a file with rows. Throws `.invalidArgument` for a URL of another kind.
    fileprivate var pathOfRows: String {
        get throws(DaybookError) {
            if isFileURL { return path }
            throw DaybookError(
                .invalidArgument,
                "'\(absoluteString)' does not name a file. Give a file URL.",
                details: ["path": absoluteString])
        }
    }
}

/// Writes lines to a file, many at a time.
private struct ExportedLines {
    private static let fullBytes = 256 << 10

    private let file: any File
    private var buffer: [UInt8] = []
    private var offset = 0

    init(_ file: any File) { self.file = file }

    /// Adds a line. Returns whether the lines were written to the file.
    mutating func write(_ line: String) throws(DaybookError) -> Bool {
        buffer += line.utf8
        buffer.append(0x0A)
        guard buffer.count >= Self.fullBytes else { return false }
        try flush()
        return true
    }

    mutating func flush() throws(DaybookError) {
        try file.write(buffer.span, at: offset)
        offset += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
