public import Dispatch
import DaybookEngine
import DaybookQuery

// Subscriptions as ObjectBox spells them.

extension Box {
    /// Calls `changeHandler` once for each commit that changes objects of the type, or the links
    /// that lead from them, when it is durable; in the order of the commits.
    ///
    /// A transaction that fails, or puts nothing, is not told. Nobody waits for the handler: where
    /// it is slow, calls are counted, and come one after the other.
    ///
    /// - Parameters:
    ///   - dispatchQueue: where the handler runs.
    ///   - flags: by default the handler is also called once at the beginning.
    /// - Returns: the subscription, which ends when it is let go. Of a store that is closed it is
    ///   over at once: see ``Observer/error``.
    public func subscribe(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        changeHandler: @escaping @Sendable () -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            if error == nil { changeHandler() }
        }
    }

    /// Calls `resultHandler` with all objects, as ``subscribe(dispatchQueue:flags:changeHandler:)``
    /// calls its handler. The objects are read and made on `dispatchQueue`, as they are by then;
    /// where that fails, there are none, and an error.
    public func subscribe(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable ([E], DaybookError?) -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.all() }
        }
    }

    /// As ``subscribe(dispatchQueue:flags:resultHandler:)``, whose array is contiguous already.
    public func subscribeContiguous(
        dispatchQueue: DispatchQueue = .main, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable (ContiguousArray<E>, DaybookError?) -> Void
    ) -> Observer {
        subscribe(dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { ContiguousArray(try self.all()) }
        }
    }

    private func subscribe(
        _ dispatchQueue: DispatchQueue, _ flags: Observer.Flags,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Observer {
        let observer = Observer()
        let sendsInitial = flags.contains(.sendInitial)
        do {
            let entity = try binding().entity
            guard engine.isOpen else { throw StoreTypes.closed }
            guard !flags.contains(.dontSubscribe), let queries = types.liveQueries else {
                // Nothing lasts, so nobody need keep the observer.
                if sendsInitial { dispatchQueue.async { if observer.isActive { handler(nil) } } }
                return observer
            }
            let calls = HandlerCalls(
                on: dispatchQueue, while: { [weak observer] in observer?.isActive ?? false }
            ) { handler(nil) }
            let number = try queries.observe(entity) { calls.add() }
            observer.onEnd { queries.remove(number) }
            if sendsInitial { calls.add() }
        } catch {
            observer.fail(.wrapping(error))
            let failure = observer.error
            dispatchQueue.async { [weak observer] in
                if observer?.isActive ?? false { handler(failure) }
            }
        }
        return observer
    }
}

/// Gives a result, or nothing and the reason why.
func deliver<Result>(
    _ error: DaybookError?, _ handler: (Result, DaybookError?) -> Void, or nothing: Result,
    _ read: () throws -> Result
) {
    if let error { return handler(nothing, error) }
    let result: Result
    do {
        result = try read()
    } catch {
        return handler(nothing, .wrapping(error))
    }
    handler(result, nil)
}
