public import Daybook
public import Dispatch

// Subscriptions to the result of a query; Daybook has `updates()`.

extension Query {
    /// Calls `changeHandler` whenever the result has changed: at most once for each commit, and
    /// never for a commit that does not change the result. Commits that arrive before the result is
    /// updated are combined into one call.
    ///
    /// - Parameters: See `subscribe` of a box.
    /// - Returns: The subscription. It ends when the observer is deallocated. If the query is
    ///   invalid or the store is closed, the subscription ends at once: see
    ///   ``DaybookObjectBox/Observer/error``.
    public func subscribe(
        dispatchQueue: DispatchQueue, flags: Observer.Flags = [.sendInitial],
        changeHandler: @escaping @Sendable () -> Void
    ) -> Observer {
        follow(on: dispatchQueue, flags) { error in
            if error == nil { changeHandler() }
        }
    }

    /// Calls `resultHandler` with the objects that the query finds whenever
    /// ``subscribe(dispatchQueue:flags:changeHandler:)`` calls its handler. The newest objects are
    /// read and decoded on `dispatchQueue`. If that fails, the handler receives an empty array and
    /// the error.
    public func subscribe(
        dispatchQueue: DispatchQueue, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable ([E], DaybookError?) -> Void
    ) -> Observer {
        follow(on: dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.find() }
        }
    }

    /// ``subscribe(dispatchQueue:flags:resultHandler:)`` with a `ContiguousArray`.
    public func subscribeContiguous(
        dispatchQueue: DispatchQueue, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable (ContiguousArray<E>, DaybookError?) -> Void
    ) -> Observer {
        follow(on: dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.findContiguous() }
        }
    }

    func follow(
        on dispatchQueue: DispatchQueue, _ flags: Observer.Flags,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Observer {
        Observer(
            followResult(
                on: dispatchQueue, sendsInitial: flags.contains(.sendInitial),
                continues: !flags.contains(.dontSubscribe), handler))
    }
}
