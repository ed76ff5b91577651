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
        api.get("export-file") { request, _ in
            let ticket = try RequestParameters(request).text("ticket")
            guard let file = exports.take(ticket) else {
                throw RequestProblem.notFound("The export is gone. Export again.")
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/octet-stream",
                    .contentDisposition: "attachment; filename=\"\(file.name)\"",
                ],
                body: ResponseBody(contentLength: file.byteCount) { writer in
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
        if case .bytes(let bytes) = self { return bytes }
        return Array(text.utf8)
    }
}
