import HTTPTypes
import Hummingbird

/// The requests that exchange the token for a session.
struct SignIn: Sendable {
    /// The path of the form in the file that `--open` opens.
    static let path = "/session"

    let session: Session
    let port: Int

    func add(to router: Router<BasicRequestContext>) {
        // The page asks for the token.
        router.post("api/session") { request, context in
            let token = try await request.decode(as: SessionRequest.self, context: context).token
            return try signedIn(token, Response(status: .noContent))
        }
        // A cookie of the same site is not sent along with a redirect of a request from a file. It
        // is sent with a request of this answer.
        router.post(RouterPath(Self.path)) { request, context in
            let form = try await URLEncodedFormDecoder().decode(
                SessionRequest.self, from: request, context: context)
            let page =
                #"<!doctype html><title>Daybook</title>"#
                + #"<meta http-equiv="refresh" content="0;url=/">"#
            return try signedIn(
                form.token,
                Response(
                    status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: page))))
        }
    }

    private func signedIn(_ token: String, _ response: Response) throws -> Response {
        guard let cookie = session.cookie(for: token, port: port) else {
            throw RequestProblem.refused(.unauthorized, "This is not the token of this server.")
        }
        var response = response
        response.setCookie(cookie)
        return response
    }
}
