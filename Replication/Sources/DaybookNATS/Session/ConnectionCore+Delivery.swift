internal import NIOCore

extension ConnectionCore {
    /// Gives a message to its subscription or request. Runs on the event loop.
    func deliver(_ message: NATSInboundMessage) {
        guard message.subscriptionId != Self.inboxId else { return deliverReply(message) }
        let id = message.subscriptionId
        // Messages that were under way when the subscription ended have no receiver.
        guard let buffer = state.withLock({ $0.subscriptions[id]?.buffer }) else { return }
        if !buffer.append(message) { unsubscribe(id) }
    }

    private func deliverReply(_ message: NATSInboundMessage) {
        guard message.subject.hasPrefix(inbox),
            let id = UInt64(message.subject.dropFirst(inbox.count))
        else { return }
        let hasNoResponders =
            message.headers.status == 503 && message.payload.readableBytes == 0
            && !StoredMessage.isDirect(message)
        let reply: Reply? = state.withLock { state in
            guard let reply = state.replies[id] else { return nil }
            if case .many = reply.target, !hasNoResponders { return reply }
            return state.replies.removeValue(forKey: id)
        }
        guard let reply else { return }
        if hasNoResponders { return reply.fail(.noResponders(reply.subject)) }
        switch reply.target {
        case .one(let answer):
            reply.timer?.cancel()
            answer.set(.success(message))
        case .many(let buffer):
            if !buffer.append(message) { endReply(id) }
        }
    }

    /// Registers the receiver of replies. Returns its id, which is the last token of its subject.
    func beginReply(to subject: String, _ target: Reply.Target) -> UInt64 {
        let id = nextId()
        state.withLock { $0.replies[id] = Reply(subject: subject, target: target) }
        return id
    }

    /// Removes the receiver of replies.
    func endReply(_ id: UInt64) {
        state.withLock { $0.replies.removeValue(forKey: id) }?.timer?.cancel()
    }

    /// Sends a message with a time limit for its replies.
    func send(
        _ head: ByteBuffer, _ payload: ByteBuffer, in session: Session, replyId: UInt64,
        limit: Duration
    ) {
        eventLoop.execute {
            session.write(head: head, payload: payload)
            let timer = self.eventLoop.scheduleTask(in: limit.delay) {
                let late = self.state.withLock { $0.replies.removeValue(forKey: replyId) }
                late?.fail(.timeout(late?.subject ?? "", limit))
            }
            let isPending = self.state.withLock { state in
                state.replies[replyId]?.timer = timer
                return state.replies[replyId] != nil
            }
            if !isPending { timer.cancel() }
        }
    }

    /// Registers a subscription and sends it in the current session. Runs on the event loop, so
    /// that the session does not change in between.
    func beginSubscription(
        _ id: UInt64, _ subscription: Subscription, _ session: Session
    ) {
        let isCurrent = state.withLock { state in
            guard case .connected(let current) = state.phase, current === session else {
                return false
            }
            state.subscriptions[id] = subscription
            return true
        }
        guard isCurrent else {
            if subscription.isForReplies { subscription.buffer.finish(.endedSession) }
            return
        }
        let command = NATSCommand.subscribe(
            subscription.subject, queue: subscription.queue, id: id)
        session.subscribe([(id, command)])
    }

    /// Ends a subscription at the server and here.
    func unsubscribe(_ id: UInt64) {
        let removed = state.withLock { $0.subscriptions.removeValue(forKey: id) }
        guard removed != nil, let session = try? session() else { return }
        session.write(NATSCommand.unsubscribe(id))
    }

    /// Records a new description of the server.
    func received(_ info: NATSServerInfo) {
        state.withLock { state in
            // The text to sign belongs to the greeting.
            state.info = info
            state.info.nonce = nil
        }
    }

    /// Ends a subscription that the server refused.
    func refused(_ id: UInt64, _ error: NATSError) {
        state.withLock { $0.subscriptions.removeValue(forKey: id) }?.buffer.finish(error)
    }

    /// Ends the subscriptions or requests whose subject an `-ERR` line denies.
    func denied(_ error: NATSError, text: String) {
        let names = Self.quoted(in: text)
        guard let subject = names.first else { return }
        if text.prefix(while: { $0 != "\"" }).lowercased().contains("subscription") {
            let queue = text.contains("using queue") && names.count > 1 ? names[1] : nil
            let denied = state.withLock { state in
                let ids = state.subscriptions.filter {
                    $0.value.subject == subject && (queue == nil || $0.value.queue == queue)
                }.keys
                return ids.compactMap { state.subscriptions.removeValue(forKey: $0) }
            }
            for subscription in denied { subscription.buffer.finish(error) }
        } else {
            let denied = state.withLock { state in
                // The server names the subject of the message, or that of its replies.
                let ids = state.replies.filter {
                    $0.value.subject == subject || inbox + String($0.key) == subject
                }.keys
                return ids.compactMap { state.replies.removeValue(forKey: $0) }
            }
            for reply in denied { reply.fail(error) }
        }
    }

    /// Returns the texts between quotes, in which a backslash precedes a quote or a backslash.
    private static func quoted(in text: String) -> [String] {
        var texts: [String] = []
        var current: String?
        var isEscaped = false
        for character in text.unicodeScalars {
            if current == nil {
                if character == "\"" { current = "" }
            } else if isEscaped || (character != "\"" && character != "\\") {
                current?.unicodeScalars.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                texts.append(current ?? "")
                current = nil
            }
        }
        return texts
    }
}

extension ConnectionCore.Reply {
    /// Ends the wait for replies with an error.
    func fail(_ error: NATSError) {
        timer?.cancel()
        switch target {
        case .one(let answer): answer.set(.failure(error))
        case .many(let buffer): buffer.finish(error)
        }
    }
}

extension NATSError {
    /// The error of a request without a receiver.
    static func noResponders(_ subject: String) -> NATSError {
        NATSError(
            .noResponders,
            "No subscriber or stream receives \(subject). Check the subject. For a stream, check"
                + " that it exists and that a majority of its servers runs, then try again.")
    }
}
