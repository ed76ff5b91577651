import HTTPTypes
import Hummingbird

/// Refuses requests that do not come from the server's own page, and adds the headers that keep
/// hostile data harmless to every answer.
struct Guard<Context: RequestContext>: RouterMiddleware {
    let session: Session
    /// The port of the server.
    let port: Int

    /// Scripts, styles, images and requests of the server itself only; no frames.
    private static var policy: String {
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try check(request)
            response = try await next(request, context)
        } catch {
            response = Response(RequestProblem(error))
        }
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.openerPolicy] = "same-origin"
        response.headers[.resourcePolicy] = "same-origin"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private func check(_ request: Request) throws {
        // A name of another site that resolves to a loopback address is not one of these.
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
        guard let host = request.head.authority, hosts.contains(host) else {
            throw RequestProblem.refused(
                .misdirectedRequest,
                "The server answers requests to \(hosts[0]) and \(hosts[1]) only.")
        }
        // The token in the body is the proof.
        if request.method == .post, request.uri.path == SignIn.path { return }
        if request.method != .get {
            let origin = request.headers[.origin]
            guard request.method == .post, origin == nil || origin == "http://\(host)",
                request.headers[.daybook] == "browse",
                request.headers[.contentType]?.hasPrefix("application/json") == true
            else {
                throw RequestProblem.refused(
                    .forbidden, "Only the page of this server may change the store.")
            }
        }
        let path = request.uri.path
        guard path.hasPrefix("/api/"), path != "/api/session" else { return }
        guard session.contains(request, port: port) else {
            throw RequestProblem.refused(
                .unauthorized,
                "There is no session. Enter the token that the command printed.")
        }
    }
}

extension HTTPField.Name {
    /// The header of every POST of the page, which no form of another site can send.
    static var daybook: HTTPField.Name { named("X-Daybook") }
    fileprivate static var referrerPolicy: HTTPField.Name { named("Referrer-Policy") }
    fileprivate static var openerPolicy: HTTPField.Name { named("Cross-Origin-Opener-Policy") }
    fileprivate static var resourcePolicy: HTTPField.Name { named("Cross-Origin-Resource-Policy") }

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("An invalid name.") }
        return name
    }
}
