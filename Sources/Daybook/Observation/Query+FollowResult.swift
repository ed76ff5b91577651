package import Dispatch
import DaybookBytes
import DaybookEngine
import DaybookQuery

extension Query {
    /// Calls `handler` on a queue whenever the result has changed: at most once for each commit,
    /// and never for a commit that does not change the result. Commits that arrive before the
    /// result is updated are combined into one call.
    ///
    /// - Parameters:
    ///   - sendsInitial: Whether the handler is also called once at the beginning.
    ///   - continues: Whether the handler is called after the beginning.
    ///   - handler: Receives the error that ends the subscription, or nil.
    /// - Returns: The subscription. It ends when it is deallocated. If the query is invalid or the
    ///   store is closed, the subscription ends at once.
    package func followResult(
        on dispatchQueue: DispatchQueue, sendsInitial: Bool, continues: Bool,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Subscription {
        guard continues else {
            let subscription = Subscription()
            // The subscription is not captured weakly: the caller need not keep it.
            if sendsInitial {
                dispatchQueue.async { if subscription.isActive { handler(nil) } }
            }
            return subscription
        }
        return follow(on: dispatchQueue) { event in
            switch event {
            case .began: if sendsInitial { handler(nil) }
            case .changed: handler(nil)
            }
        } failed: { error in
            handler(.wrapping(error))
        }
    }
}
