import Daybook
import Foundation
import Synchronization

/// The finished exports that the page has yet to fetch.
final class Exports: Sendable {
    /// The most files. A page that was closed in between never fetches its file.
    private static let countMax = 8
    private let files = Mutex<[(ticket: String, file: ExportedFile)]>([])

    /// Keeps a file, and returns its ticket.
    func add(_ file: ExportedFile) -> String {
        let ticket = UUID().uuidString
        files.withLock { files in
            files.append((ticket, file))
            if files.count > Self.countMax { files.removeFirst() }
        }
        return ticket
    }

    /// The file of a ticket, which is valid once.
    func take(_ ticket: String) -> ExportedFile? {
        files.withLock { files in
            files.firstIndex { $0.ticket == ticket }.map { files.remove(at: $0).file }
        }
    }
}

/// The rows of a query in a file without a name, which exists as long as it is read.
final class ExportedFile: Sendable {
    private static let pieceBytes = 1 << 16
    private let handle: FileHandle
    /// The name that the browser gives to the file.
    let name: String
    let rowCount: Int
    let byteCount: Int

    /// Writes the file. Only the user of the server can read it while it has a name.
    init(
        of view: StoreView, _ text: String, _ format: ExchangeFormat, _ meter: WorkMeter
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(component: "daybook-browse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(component: "export")
        rowCount = try await view.exportRows(
            text, to: file, format: format, progress: { meter.report(done: $0) })
        name = format == .csv ? "export.csv" : "export.jsonl"
        handle = try FileHandle(forReadingFrom: file)
        byteCount = Int(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
    }

    /// The next bytes; nil at the end.
    func next() throws -> [UInt8]? {
        let piece = try handle.read(upToCount: Self.pieceBytes) ?? Data()
        return piece.isEmpty ? nil : Array(piece)
    }
}
