package import Dispatch
import DaybookBytes
import DaybookEngine
import DaybookQuery

extension Box {
    /// Calls `handler` on a queue once for each durable commit that changes objects of the type, or
    /// the links from them, in the order of the commits.
    ///
    /// A transaction that fails or changes nothing causes no call. Writers never wait for the
    /// handler: the calls for a slow handler are counted, and made one after the other.
    ///
    /// - Parameters:
    ///   - sendsInitial: Whether the handler is also called once at the beginning.
    ///   - continues: Whether the handler is called after the beginning.
    ///   - handler: Receives nil, or the error that ends the subscription: the log cannot be read.
    /// - Returns: The subscription. It ends when it is deallocated. If the store is closed, the
    ///   subscription ends at once. When the store closes later, there are no more calls.
    package func followCommits(
        on dispatchQueue: DispatchQueue, sendsInitial: Bool, continues: Bool,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Subscription {
        let subscription = Subscription()
        do {
            let entity = try binding().entity
            guard engine.isOpen else { throw StoreTypes.closed }
            guard continues, let queries = types.liveQueries else {
                // The subscription is not captured weakly: the caller need not keep it.
                if sendsInitial {
                    dispatchQueue.async { if subscription.isActive { handler(nil) } }
                }
                return subscription
            }
            let calls = HandlerCalls(
                on: dispatchQueue,
                while: { [weak subscription] in subscription?.isActive ?? false }
            ) { handler($0) }
            let number = try queries.observe([entity]) { [weak subscription] notice in
                switch notice {
                case .commit: calls.add()
                case .failure(let error):
                    subscription?.fail(error)
                    calls.fail(error)
                case .end: calls.end { [weak subscription] in subscription?.finish() }
                }
            }
            subscription.onEnd { queries.remove(number) }
            if sendsInitial { calls.add() }
        } catch {
            subscription.fail(.wrapping(error))
            let failure = subscription.error
            dispatchQueue.async { [weak subscription] in
                if subscription?.isActive ?? false { handler(failure) }
            }
        }
        return subscription
    }
}
