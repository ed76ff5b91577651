internal import AsyncHTTPClient
internal import Daybook
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

extension RequestSender {
    /// The limit of an answer that describes a failure.
    private static let failureSizeBytesMax = 64 << 10

    /// Returns the answer of one attempt. Throws a `TransportFailure` for a failure that another
    /// attempt may change, and `CancellationError` if the task is cancelled.
    func exchange(_ request: S3Request, _ deadline: AttemptDeadline) async throws -> S3Answer {
        let message = try await message(request)
        do {
            let response = try await SharedClient.client.execute(message, deadline: .distantFuture)
            let answer = try await read(response, of: request, deadline)
            try Task.checkCancellation()
            return answer
        } catch {
            if Task.isCancelled { throw CancellationError() }
            if error is DaybookError || error is TransportFailure { throw error }
            if error as? HTTPClientError == .invalidURL {
                throw DaybookError.invalidAddress(request, location)
            }
            throw TransportFailure(cause: error)
        }
    }

    /// Returns the signed form of a request.
    private func message(_ request: S3Request) async throws -> HTTPClientRequest {
        let signer = RequestSigner(
            credentials: try await currentCredentials(), region: location.region,
            time: SigningTime(Date()))
        let path = location.path(request.key)
        let query = QueryItem.text(request.query)
        let headers = signer.sign(
            method: request.method.rawValue, path: path, query: query,
            headers: request.headers + [HeaderField("host", location.hostHeader)],
            payloadHash: request.payloadHash)
        let scheme = location.endpoint.isSecure ? "https" : "http"
        let url = "\(scheme)://\(location.hostHeader)\(path)"
        var message = HTTPClientRequest(url: query.isEmpty ? url : "\(url)?\(query)")
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        message.headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
        if let body = request.body { message.body = .bytes(body) }
        return message
    }

    /// Returns the credentials of the caller. Throws `.permissionDenied` if there are none, or if
    /// they have spaces or control characters, because the error of the client would show them.
    private func currentCredentials() async throws -> S3Credentials {
        let current: S3Credentials
        do {
            current = try await credentials()
        } catch {
            if Task.isCancelled { throw CancellationError() }
            if error is DaybookError { throw error }
            throw DaybookError(
                .permissionDenied,
                "The credentials for \(location) cannot be obtained. Check their source.",
                cause: error, details: ["bucket": location.bucket])
        }
        guard current.isPlain else {
            throw DaybookError(
                .permissionDenied,
                "The credentials for \(location) have a space or a control character in the access"
                    + " key or the session token. Correct their source.",
                details: ["bucket": location.bucket])
        }
        return current
    }

    /// Reads the body of an answer within its limit.
    private func read(
        _ response: HTTPClientResponse, of request: S3Request, _ deadline: AttemptDeadline
    ) async throws -> S3Answer {
        let status = Int(response.status.code)
        let isSuccess = (200..<300).contains(status)
        let partialMax = status == 206 ? request.partialAnswerSizeBytesMax : nil
        let sizeBytesMax =
            isSuccess ? partialMax ?? request.answerSizeBytesMax : Self.failureSizeBytesMax
        let announced = response.headers.first(name: "content-length").flatMap { Int($0) }
        if isSuccess, let announced, announced > sizeBytesMax {
            throw DaybookError.answerTooLong(request, location, sizeBytesMax)
        }
        // Without a length or chunks, an interrupted object would be taken for a complete one.
        let encoding = response.headers["transfer-encoding"].last?.lowercased()
        if isSuccess, request.method == .get, announced == nil, encoding != "chunked" {
            throw TransportFailure(cause: TransportProblem.shortBody)
        }
        var body: [UInt8] = []
        for try await chunk in response.body {
            deadline.receive(bytes: chunk.readableBytes)
            if chunk.readableBytes > sizeBytesMax - body.count {
                if isSuccess {
                    throw DaybookError.answerTooLong(request, location, sizeBytesMax)
                }
                // The rest does not matter. A part of a document is not understood either.
                body = []
                break
            }
            body += chunk.readableBytesView
        }
        if isSuccess, let announced, announced != body.count {
            throw TransportFailure(cause: TransportProblem.shortBody)
        }
        return S3Answer(
            status: status, headers: response.headers, body: body,
            mayFailLate: request.mayFailLate)
    }
}
