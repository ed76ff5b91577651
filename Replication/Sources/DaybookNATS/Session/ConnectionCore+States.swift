internal import NIOCore

extension ConnectionCore {
    /// Returns the current state and all later ones.
    func states() -> AsyncStream<NATSConnectionState> {
        let id = nextId()
        let (stream, continuation) = AsyncStream.makeStream(
            of: NATSConnectionState.self, bufferingPolicy: .bufferingNewest(64))
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
        // Under the lock, so that no later state comes before the current one.
        let isClosed = state.withLock { state in
            if let current = state.observed { continuation.yield(current) }
            if case .closed = state.phase { return true }
            state.observers[id] = continuation
            return false
        }
        if isClosed { continuation.finish() }
        return stream
    }

    /// Gives a state to all observers. Runs on the event loop.
    func publish(_ state: NATSConnectionState) {
        self.state.withLock { locked in
            if case .closed = locked.phase { return }
            locked.observed = state
            for observer in locked.observers.values { observer.yield(state) }
        }
    }

    /// Waits for a session. Throws `.timeout` or `.closed`.
    func waitUntilConnected(_ limit: Duration) async throws(NATSError) {
        let waiter = Answer<Void>()
        let isConnected = state.withLock { state in
            if case .connected = state.phase { return true }
            if case .closed = state.phase {
                waiter.set(.failure(.closedByCaller))
            } else {
                state.waiters.append(waiter)
            }
            return false
        }
        if isConnected { return }
        defer { state.withLock { state in state.waiters.removeAll { $0 === waiter } } }
        try await wait(for: waiter, limit) {
            NATSError(
                .timeout,
                "No server accepted a connection within \(limit). Check the servers and the"
                    + " network.")
        }
    }

    /// Waits for an answer with a time limit.
    func wait<Value: Sendable>(
        for answer: Answer<Value>, _ limit: Duration,
        late: @escaping @Sendable () -> NATSError
    ) async throws(NATSError) -> Value {
        let timer = eventLoop.scheduleTask(in: limit.delay) { _ = answer.set(.failure(late())) }
        defer { timer.cancel() }
        return try await answer.get()
    }
}
