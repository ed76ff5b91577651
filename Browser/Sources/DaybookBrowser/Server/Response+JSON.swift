import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    /// An answer of the interface as JSON.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }

    /// The answer for a request that failed.
    init(_ problem: RequestProblem) {
        let body = try? JSONEncoder().encode(problem.problem)
        self.init(
            status: problem.status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body ?? Data())))
    }

    /// A file that the browser saves, and never shows.
    init(download bytes: [UInt8], named name: String) {
        self.init(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
