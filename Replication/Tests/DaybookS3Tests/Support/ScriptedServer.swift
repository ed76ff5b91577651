import NIOCore
import NIOPosix
import Synchronization

/// An HTTP server on the loopback address that gives scripted answers, one for each request.
final class ScriptedServer: Sendable {
    /// What the server does with a request.
    enum Step: Sendable {
        /// Sends bytes and keeps the connection.
        case answer(String)
        /// Sends bytes and closes the connection.
        case answerAndClose(String)
        /// Sends nothing.
        case hang
    }

    private struct State {
        var steps: [Step]
        var requests: [String] = []
    }

    private let state: Mutex<State>
    private let listener = Mutex<(any Channel)?>(nil)

    private init(_ steps: [Step]) { state = Mutex(State(steps: steps)) }

    /// Runs a server during `body`. Requests after the last step have no answer.
    static func with<Value>(
        _ steps: [Step], isolation: isolated (any Actor)? = #isolation,
        _ body: (ScriptedServer) async throws -> Value
    ) async throws -> Value {
        let server = ScriptedServer(steps)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptedHandler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = channel }
        defer { channel.close(promise: nil) }
        return try await body(server)
    }

    /// The address.
    var url: String {
        "http://127.0.0.1:\(listener.withLock { $0?.localAddress?.port } ?? 0)"
    }

    /// The heads of the requests until now.
    var requests: [String] { state.withLock { $0.requests } }

    /// The first lines of the requests until now, without the version of HTTP.
    var lines: [String] {
        requests.map { String($0.prefix { $0 != "\r\n" }).replacing(" HTTP/1.1", with: "") }
    }

    /// Keeps a request and returns the next step.
    func take(_ head: String) -> Step {
        state.withLock { state in
            state.requests.append(head)
            return state.steps.isEmpty ? .hang : state.steps.removeFirst()
        }
    }
}

extension ScriptedServer.Step {
    /// An answer with a status, headers and a body of the right length.
    static func status(_ status: Int, _ body: String = "", headers: [String] = []) -> Self {
        let lines = ["HTTP/1.1 \(status) Status"] + headers
        return .answer(
            lines.joined(separator: "\r\n")
                + "\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// An answer that describes a failure.
    static func failure(_ status: Int, _ code: String, _ message: String = "Text.") -> Self {
        .status(status, "<Error><Code>\(code)</Code><Message>\(message)</Message></Error>")
    }
}

/// Collects the requests of a connection and answers them.
private final class ScriptedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ScriptedServer
    private var received = ByteBuffer()

    init(_ server: ScriptedServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        while let head = takeRequest() {
            switch server.take(head) {
            case .answer(let text): send(text, context)
            case .answerAndClose(let text):
                send(text, context)
                context.close(promise: nil)
            case .hang: break
            }
        }
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    /// Takes a complete request with its body and returns its head.
    private func takeRequest() -> String? {
        let view = received.readableBytesView
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: view[..<end.lowerBound], as: UTF8.self)
        let length =
            head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
        let count = view.distance(from: view.startIndex, to: end.upperBound) + length
        guard received.readableBytes >= count else { return nil }
        received.moveReaderIndex(forwardBy: count)
        return head
    }
}
