import Foundation
import Hummingbird
import Logging

/// The server of one store.
///
/// It listens on the loopback address only. The store is opened at the first request, read-only
/// unless writes are allowed.
public struct BrowserServer: Sendable {
    private let opening: StoreOpening
    private let session = Session()

    /// A server of the store in a directory, which need not be readable yet.
    public init(path: String, allowsWrites: Bool = false) {
        opening = StoreOpening(path: path, allowsWrites: allowsWrites)
    }

    /// The token that the page asks for. It is valid as long as the server runs.
    public var token: String { session.token }

    /// Serves the page until the task is cancelled or the process gets SIGTERM or SIGINT, and
    /// closes the store.
    ///
    /// `onListening` is called with the port, which is a free one if `port` is 0. Throws the error
    /// of the system if the port is in use.
    public func run(
        port: Int, onListening: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        // The port is a part of the checks of each request, so it is chosen before the server runs.
        let port = try port == 0 ? FreePort.find() : port
        var logger = Logger(label: "daybook-browse")
        logger.logLevel = .error
        let application = Application(
            router: router(port: port),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { _ in await onListening(port) }, logger: logger)
        do {
            try await application.runService()
        } catch {
            try? await close()
            throw error
        }
        try await close()
    }

    /// Closes the store.
    func close() async throws { try await opening.close() }

    /// The routes of the page and of its requests.
    func router(port: Int) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: Guard(port: port))
        for path in PageFiles.contents.keys.map({ $0 == "/index.html" ? "/" : $0 }) {
            router.get(RouterPath(path)) { _, _ in try Self.page(path) }
        }
        SignIn(session: session, port: port).add(to: router)
        let api = router.group("api").add(middleware: SessionCheck(session: session, port: port))
        Routes(opening: opening).add(to: api)
        return router
    }

    private static func page(_ path: String) throws -> Response {
        guard let file = PageFiles.file(at: path) else {
            throw RequestProblem.notFound("There is no page '\(path)'.")
        }
        return Response(
            status: .ok, headers: [.contentType: file.mediaType, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}
