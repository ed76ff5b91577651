public import Dispatch
import DaybookEngine
import DaybookQuery

extension Query {
    /// Calls `changeHandler` whenever the result has changed: at most once for each commit, and
    /// never for one that leaves the result as it was. Commits that come faster than the result
    /// is brought up to date are told together.
    ///
    /// - Parameters: as of ``Box/subscribe(dispatchQueue:flags:changeHandler:)``.
    /// - Returns: the subscription, which ends when it is let go. Of a query that makes no sense,
    ///   and of a store that is closed, it is over at once: see ``Observer/error``.
    public func subscribe(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        changeHandler: @escaping @Sendable () -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            if error == nil { changeHandler() }
        }
    }

    /// Calls `resultHandler` with the objects that the query finds, as
    /// ``subscribe(dispatchQueue:flags:changeHandler:)`` calls its handler. The objects are read
    /// and made on `dispatchQueue`, as they are by then; where that fails, there are none, and an
    /// error.
    public func subscribe(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable ([E], DaybookError?) -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.find() }
        }
    }

    /// As ``subscribe(dispatchQueue:flags:resultHandler:)``, whose array is contiguous already.
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
            // Nothing lasts, so nobody need keep the observer.
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
