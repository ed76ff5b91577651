internal import NIOCore
internal import NIOPosix

extension ConnectionCore {
    /// Connects to the first server that accepts, trying each once. Throws the error of the server
    /// that answered, or else of the last one.
    func connect() async throws(NATSError) {
        var failure: NATSError?
        for address in options.servers {
            do throws(NATSError) {
                return try await openSession(address)
            } catch {
                log(.warning, "No connection to \(address): \(error)")
                if failure == nil || error.code != .connectionFailed { failure = error }
                if error.code == .cancelled { break }
            }
        }
        close()
        throw failure ?? .closedByCaller
    }

    /// Opens a TCP connection and waits for the end of the greeting.
    func openSession(_ address: NATSAddress) async throws(NATSError) {
        let greeting = Answer<Session>()
        let limit = options.connectTimeout.delay
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(limit)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let session = Session(channel: channel, address: address)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ActivityHandler(session))
                    try pipeline.addHandler(ByteToMessageHandler(NATSFrameDecoder()))
                    try pipeline.addHandler(
                        SessionHandler(core: self, session: session, greeting: greeting))
                }
            }
        let channel: any Channel
        do {
            channel = try await bootstrap.connect(host: address.host, port: address.port).get()
        } catch {
            throw NATSError(
                .connectionFailed,
                "\(address) cannot be reached. Check the address, the network and the server.",
                cause: error)
        }
        let timer = eventLoop.scheduleTask(in: limit) { [options] in
            let late = NATSError(
                .connectionFailed,
                "\(address) did not greet within \(options.connectTimeout). Check that the port is"
                    + " that of NATS clients, or raise the connect timeout.")
            if greeting.set(.failure(late)) { channel.close(promise: nil) }
        }
        defer { timer.cancel() }
        do throws(NATSError) {
            _ = try await greeting.get()
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// Makes a session the current one and sends all subscriptions. Runs on the event loop.
    /// Returns false if the caller closed the connection.
    func sessionBegan(_ session: Session, _ info: NATSServerInfo) -> Bool {
        let inboxCommand = NATSCommand.subscribe(inbox + "*", queue: nil, id: Self.inboxId)
        var commands = [(id: Self.inboxId, text: inboxCommand)]
        let waiters: [Answer<Void>]? = state.withLock { state in
            if case .closed = state.phase { return nil }
            state.phase = .connected(session)
            state.info = info
            for (id, subscription) in state.subscriptions {
                let command = NATSCommand.subscribe(
                    subscription.subject, queue: subscription.queue, id: id)
                commands.append((id, command))
            }
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return false }
        session.subscribe(commands)
        log(.info, "Connected to \(info.name) at \(session.address)")
        publish(.connected(session.address))
        for waiter in waiters { waiter.set(.success(())) }
        return true
    }

    /// Ends a session, fails the calls that depend on it, and begins to reconnect. Runs on the
    /// event loop. Does nothing for a session that is not the current one, except to close it.
    func endSession(_ session: Session, _ error: NATSError) {
        // Last, because closing reports the end once more, without this error.
        defer { session.channel.close(promise: nil) }
        let lost = NATSError.connectionLost(error)
        session.failPings(lost)
        let ended: ([Reply], [Subscription])? = state.withLock { state in
            guard case .connected(let current) = state.phase, current === session else {
                return nil
            }
            state.phase = .reconnecting
            state.reconnection = Task { await self.reconnect(after: session.address) }
            let ended = state.subscriptions.filter(\.value.isForReplies)
            for id in ended.keys { state.subscriptions[id] = nil }
            defer { state.replies = [:] }
            return (Array(state.replies.values), Array(ended.values))
        }
        guard let (replies, subscriptions) = ended else { return }
        for reply in replies { reply.fail(lost) }
        for subscription in subscriptions { subscription.buffer.finish(lost) }
        log(.warning, "Lost the connection to \(session.address): \(error)")
        publish(.reconnecting(because: error))
    }

    /// Tries one server after another until one accepts or the caller closes the connection.
    private func reconnect(after address: NATSAddress) async {
        let servers = options.servers
        let last = servers.firstIndex(of: address) ?? 0
        var failureCount = 0
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: reconnectDelay(round: failureCount / servers.count))
            } catch {
                return
            }
            let next = servers[(last + 1 + failureCount) % servers.count]
            do throws(NATSError) {
                return try await openSession(next)
            } catch {
                log(.warning, "No connection to \(next): \(error)")
                failureCount += 1
            }
        }
    }

    /// The delay doubles with each round over all servers, and is random so that the clients of a
    /// server that died do not return at once.
    private func reconnectDelay(round: Int) -> Duration {
        let range = options.reconnectDelay
        let doubled = range.lowerBound * (1 << min(round, 20))
        return min(doubled, range.upperBound) * Double.random(in: 0.5...1)
    }

    /// Closes the connection. Subscriptions end after the messages that they have.
    @discardableResult
    func close() -> Session? {
        let (old, session): (State, Session?) = state.withLock { state in
            let old = state
            state = State()
            state.phase = .closed
            state.info = old.info
            state.observed = .closed
            // Under the lock, so that no other state follows.
            for observer in old.observers.values { observer.yield(.closed) }
            if case .connected(let session) = old.phase { return (old, session) }
            return (old, nil)
        }
        old.reconnection?.cancel()
        session?.failPings(.closedByCaller)
        session?.channel.close(promise: nil)
        for subscription in old.subscriptions.values { subscription.buffer.finish(nil) }
        for reply in old.replies.values { reply.fail(.closedByCaller) }
        for waiter in old.waiters { waiter.set(.failure(.closedByCaller)) }
        for observer in old.observers.values { observer.finish() }
        return session
    }
}
