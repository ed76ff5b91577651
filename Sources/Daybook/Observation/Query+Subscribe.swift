public import Dispatch
import DaybookEngine
import DaybookQuery

extension Query {
    /// Calls `changeHandler` whenever the result has changed: at most once for each commit, and
    /// never for a commit that does not change the result. Commits that arrive before the result is
    /// updated are combined into one call.
    ///
    /// - Parameters: See ``Box/subscribe(dispatchQueue:flags:changeHandler:)``.
    /// - Returns: The subscription. It ends when the observer is deallocated. If the query is
    ///   invalid or the store is closed, the subscription ends at once: see ``Observer/error``.
    public func subscribe(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        changeHandler: @escaping @Sendable () -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            if error == nil { changeHandler() }
        }
    }

    /// Calls `resultHandler` with the objects that the query finds whenever
    /// ``subscribe(dispatchQueue:flags:changeHandler:)`` calls its handler. The newest objects are
    /// read and decoded on `dispatchQueue`. If that fails, the handler receives an empty array and
    /// the error.
    public func subscribe(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable ([E], DaybookError?) -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.find() }
        }
    }

    /// ``subscribe(dispatchQueue:flags:resultHandler:)`` with a `ContiguousArray`.
    public func subscribeContiguous(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable (ContiguousArray<E>, DaybookError?) -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.findContiguous() }
        }
    }

    private func subscribe(
        _ dispatchQueue: DispatchQueue, _ flags: Observer.Flags,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Observer {
        let sendsInitial = flags.contains(.sendInitial)
        guard !flags.contains(.dontSubscribe) else {
            let observer = Observer()
            // The observer is not captured weakly: without a subscription, the caller need not keep
            // it.
            if sendsInitial { dispatchQueue.async { if observer.isActive { handler(nil) } } }
            return observer
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
