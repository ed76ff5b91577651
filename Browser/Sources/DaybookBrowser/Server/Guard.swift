import HTTPTypes
import Hummingbird

/// Refuses requests that do not come from the server's own page, and adds the headers that keep
/// hostile data harmless to every answer.
struct Guard<Context: RequestContext>: RouterMiddleware {
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
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private func check(_ request: Request) throws {
        // A name of another site may resolve to the loopback address.
        let address = port == 80 ? "127.0.0.1" : "127.0.0.1:\(port)"
        guard let host = request.head.authority, host == address else {
            throw RequestProblem.refused(
                .misdirectedRequest, "The server answers requests to http://\(address)/ only.")
        }
        // Pages of other ports are of the same site, so that requests from them have the cookie.
        let site = request.headers[.fetchSite] ?? "same-origin"
        guard ["same-origin", "none"].contains(site) || !request.isForData else {
            throw RequestProblem.refused(
                .forbidden, "Only the page of this server may read the store.")
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
    }
}

/// Refuses requests without a session. Belongs to the group of all routes that answer data, so that
/// no spelling of a path avoids it.
struct SessionCheck<Context: RequestContext>: RouterMiddleware {
    let session: Session
    let port: Int

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard session.contains(request, port: port) else {
            throw RequestProblem.refused(
                .unauthorized, "There is no session. Enter the token that the command printed.")
        }
        return try await next(request, context)
    }
}

extension Request {
    /// Whether the request is for data, and not for a file of the page.
    fileprivate var isForData: Bool {
        uri.path.split(separator: "/").first == "api"
    }
}

extension HTTPField.Name {
    /// The header of every POST of the page, which no form of another site can send.
    static var daybook: HTTPField.Name { named("X-Daybook") }
    /// The relation of the requesting page to the server, which every current browser sends.
    static var fetchSite: HTTPField.Name { named("Sec-Fetch-Site") }

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("An invalid name.") }
        return name
    }
}
