import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import DaybookBrowser

/// An answer with its whole body.
struct TestedResponse {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: ByteBuffer
}

/// Sends requests as the page does, without a network.
struct TestedClient: Sendable {
    let responder: RouterResponder<BasicRequestContext>
    let folder: URL
    var token = ""
    var cookie: String?
    var host = "127.0.0.1:\(TestedServer.port)"

    /// The answer to any request.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ extra: HTTPFields, _ body: ByteBuffer
    ) async throws -> TestedResponse {
        var fields = extra
        if let cookie { fields[.cookie] = cookie }
        fields[.contentLength] = "\(body.readableBytes)"
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: host, path: uri, headerFields: fields),
            body: RequestBody(buffer: body))
        let source = ApplicationRequestContextSource(
            channel: EmbeddedChannel(), logger: Logger(label: "test"))
        let response = try await responder.respond(
            to: request, context: BasicRequestContext(source: source))
        let writer = CollectedBody()
        try await response.body.write(writer)
        return TestedResponse(
            status: response.status, headers: response.headers, body: writer.buffer)
    }

    /// The answer to a GET request.
    func response(_ uri: String) async throws -> TestedResponse {
        try await send(.get, uri, [:], ByteBuffer())
    }

    /// The decoded answer to a GET request that succeeds.
    func get<Answer: Decodable>(
        _ uri: String, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let response = try await response(uri)
        #expect(response.status == .ok, "\(uri): \(String(buffer: response.body))")
        return try JSONDecoder().decode(type, from: Data(buffer: response.body))
    }

    /// The problem of a GET request that fails with a status.
    func problem(_ uri: String, _ status: HTTPResponse.Status) async throws -> Problem {
        let response = try await response(uri)
        #expect(response.status == status, "\(uri): \(String(buffer: response.body))")
        return try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
    }

    /// The answer to a POST request of the page.
    func post(
        _ uri: String, _ body: some Encodable, headers extra: HTTPFields = [:]
    ) async throws -> TestedResponse {
        var headers: HTTPFields = [.contentType: "application/json", .daybook: "browse"]
        for field in extra { headers[field.name] = field.value }
        return try await send(
            .post, uri, headers, ByteBuffer(bytes: try JSONEncoder().encode(body)))
    }
}

/// Collects the body of an answer.
private final class CollectedBody: ResponseBodyWriter {
    var buffer = ByteBuffer()

    func write(_ more: ByteBuffer) async throws { buffer.writeImmutableBuffer(more) }
    func finish(_ fields: HTTPFields?) async throws {}
}

extension String {
    /// The text as a part of a query of a URL.
    var escaped: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
