import Daybook
import Foundation
import HTTPTypes
import Hummingbird

extension Routes {
    func addDownloads(to api: RouterGroup<BasicRequestContext>) {
        api.get("value") { request, _ in
            let (value, name) = try await read(request) { store, parameters in
                (try Self.value(store, parameters), try Self.fileName(parameters))
            }
            return Response(download: value.downloadedBytes, named: name)
        }
        api.get("image") { request, _ in
            let value = try await read(request) { try Self.value($0, $1) }
            guard case .bytes(let bytes) = value, let kind = ImageKind(bytes) else {
                throw RequestProblem.notFound("The value is not an image that the page can show.")
            }
            return Response(
                status: .ok, headers: [.contentType: kind.rawValue],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        api.get("export") { request, _ in
            let format =
                try RequestParameters(request)["format"] == "csv" ? ExchangeFormat.csv : .jsonLines
            let file = try await read(request) { store, parameters in
                try ExportedFile(
                    store, try parameters.text("text"), format, at: try parameters.number("at"))
            }
            let name = format == .csv ? "export.csv" : "export.jsonl"
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/octet-stream",
                    .contentDisposition: "attachment; filename=\"\(name)\"",
                ],
                body: ResponseBody { writer in
                    while let piece = try await BlockingWork.run({ try file.next() }) {
                        try await writer.write(ByteBuffer(bytes: piece))
                    }
                    try await writer.finish(nil)
                })
        }
    }

    private static func value(
        _ store: BrowsedStore, _ parameters: RequestParameters
    ) throws -> RowValue {
        try store.value(
            of: try parameters.text("property"), try parameters.text("entity"),
            id: try parameters.id(), at: try parameters.number("at"))
    }

    /// The name of a downloaded value. Only letters and digits of a property's name are used,
    /// because the name becomes a part of a header.
    private static func fileName(_ parameters: RequestParameters) throws -> String {
        let name = try parameters.text("property").unicodeScalars
            .filter { $0.isASCII && $0.properties.isAlphabetic }.prefix(40)
        return
            (name.isEmpty ? "value" : String(String.UnicodeScalarView(name)))
            + "-\(try parameters.id())"
    }
}

extension RowValue {
    /// The whole value as a file: the bytes, or the text in UTF-8.
    fileprivate var downloadedBytes: [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .text(let text): return Array(text.utf8)
        default:
            var text = ValueText(bytesMax: .max)
            text.appendJSON(self)
            return Array(text.text.utf8)
        }
    }
}

/// The rows of a query in a file without a name, which exists as long as it is read.
final class ExportedFile: Sendable {
    private static let pieceBytes = 1 << 16
    private let handle: FileHandle

    /// Writes the file. Only the user of the server can read it while it has a name.
    init(
        _ browsed: BrowsedStore, _ text: String, _ format: ExchangeFormat, at sequence: UInt64?
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(component: "daybook-browse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(component: "export")
        try browsed.view(at: sequence).exportRows(text, to: file, format: format)
        handle = try FileHandle(forReadingFrom: file)
    }

    /// The next bytes; nil at the end.
    func next() throws -> [UInt8]? {
        let piece = try handle.read(upToCount: Self.pieceBytes) ?? Data()
        return piece.isEmpty ? nil : Array(piece)
    }
}
