internal import NIOCore
internal import Synchronization

/// One TCP connection, whose writes are in the order of the calls on the event loop.
final class Session: Sendable {
    /// Larger payloads are written without a copy.
    private static let copiedSizeBytesMax = 16 << 10
    /// The count of unanswered pings after which a server that sends nothing is dead.
    private static let unansweredPingCountMax = 2
    /// The count of unanswered pings after which a server that sends other bytes is dead. The
    /// answers may wait behind a long message.
    private static let unansweredPingCountMaxIfActive = 20

    let channel: any Channel
    let address: NATSAddress

    private enum Ping {
        case liveness
        case call(Answer<Void>)
        /// Follows a subscription, so a refusal before its answer is about that subscription.
        case subscription(UInt64)
    }

    private struct Pings {
        /// The pings without an answer, oldest first.
        var unanswered: CircularBuffer<Ping> = []
        /// The error of later pings after the end of the session.
        var failure: NATSError?
        /// Whether bytes arrived since the last check.
        var isActive = false
    }

    private let pings = Mutex(Pings())
    /// The bytes of the messages that wait for the network.
    private let waitingSizeBytes = Mutex(0)

    init(channel: any Channel, address: NATSAddress) {
        self.channel = channel
        self.address = address
    }

    /// Writes a command from any thread.
    func write(_ command: String) {
        channel.writeAndFlush(ByteBuffer(string: command), promise: nil)
    }

    /// Takes room for a message that `write` sends. Throws `.sendBufferFull` if messages that wait
    /// have more bytes than a limit together with it.
    func reserve(_ sizeBytes: Int, sizeBytesMax: Int) throws(NATSError) {
        let isPossible = waitingSizeBytes.withLock { waiting in
            guard waiting == 0 || waiting + sizeBytes <= sizeBytesMax else { return false }
            waiting += sizeBytes
            return true
        }
        guard isPossible else {
            throw NATSError(
                .sendBufferFull,
                "The network to \(address) takes no more messages, so nothing was sent. Try again"
                    + " later, send less at the same time, or raise the limit.")
        }
    }

    /// Writes a message with room from any thread. No other write comes between its parts. The
    /// result succeeds when the operating system has the bytes.
    @discardableResult
    func write(head: ByteBuffer, payload: ByteBuffer) -> EventLoopFuture<Void> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let sizeBytes = head.readableBytes + payload.readableBytes
        promise.futureResult.whenComplete { _ in
            self.waitingSizeBytes.withLock { $0 -= sizeBytes }
        }
        if payload.readableBytes <= Self.copiedSizeBytesMax {
            var message = head
            message.writeImmutableBuffer(payload)
            message.writeString("\r\n")
            channel.writeAndFlush(message, promise: promise)
            return promise.futureResult
        }
        channel.eventLoop.execute { [channel] in
            channel.write(head, promise: nil)
            channel.write(payload, promise: nil)
            channel.writeAndFlush(ByteBuffer(string: "\r\n"), promise: promise)
        }
        return promise.futureResult
    }

    /// Sends subscriptions, each with a ping, on the event loop.
    func subscribe(_ commands: [(id: UInt64, text: String)]) {
        pings.withLock { pings in
            if pings.failure != nil { return }
            pings.unanswered.append(contentsOf: commands.map { .subscription($0.id) })
        }
        write(commands.map { $0.text + NATSCommand.ping }.joined())
    }

    /// The subscription that the server processes, so that a refusal is about it; nil if it
    /// processes another command. The server answers in the order of the commands.
    var subscriptionInProcess: UInt64? {
        pings.withLock { pings in
            if case .subscription(let id)? = pings.unanswered.first { id } else { nil }
        }
    }

    /// Records that bytes arrived.
    func receivedBytes() { pings.withLock { $0.isActive = true } }

    /// Sends a ping from any thread. `waiter` is set when the answer to this ping arrives.
    func ping(_ waiter: Answer<Void>) {
        // The order of the waiters is that of the pings, because both change on the event loop.
        channel.eventLoop.execute {
            let failure = self.pings.withLock { pings in
                if pings.failure == nil { pings.unanswered.append(.call(waiter)) }
                return pings.failure
            }
            if let failure {
                waiter.set(.failure(failure))
            } else {
                self.write(NATSCommand.ping)
            }
        }
    }

    /// Sends a ping of the liveness check, on the event loop. Returns false if the server is dead.
    func pingForLiveness() -> Bool {
        let isAlive = pings.withLock { pings in
            let count = pings.unanswered.count { if case .liveness = $0 { true } else { false } }
            let limit =
                pings.isActive ? Self.unansweredPingCountMaxIfActive : Self.unansweredPingCountMax
            pings.isActive = false
            guard count < limit else { return false }
            pings.unanswered.append(.liveness)
            return true
        }
        if isAlive { write(NATSCommand.ping) }
        return isAlive
    }

    /// Ends the oldest ping, on the event loop. Returns false for an answer without a ping.
    func receivedPong() -> Bool {
        guard let oldest = pings.withLock({ $0.unanswered.popFirst() }) else { return false }
        if case .call(let waiter) = oldest { waiter.set(.success(())) }
        return true
    }

    /// Fails all waiters, and all later ones. Only the first error counts.
    func failPings(_ error: NATSError) {
        let unanswered = pings.withLock { pings in
            pings.failure = pings.failure ?? error
            defer { pings.unanswered.removeAll() }
            return pings.unanswered
        }
        for case .call(let waiter) in unanswered { waiter.set(.failure(error)) }
    }
}
