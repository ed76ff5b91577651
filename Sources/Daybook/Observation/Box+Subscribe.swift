public import Dispatch
import DaybookEngine
import DaybookQuery

// Subscriptions as ObjectBox spells them.

extension Box {
    /// Calls `changeHandler` once for each commit that changes objects of the type, or the links
    /// that lead from them, when it is durable; in the order of the commits.
    ///
    /// A transaction that fails, or puts nothing, is not told. Nobody waits for the handler: where
    /// it is slow, calls queue up.
    ///
    /// - Parameters:
    ///   - dispatchQueue: where the handler runs; a serial one keeps the order.
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
            deliver(error, resultHandler) { try self.all() }
        }
    }

    private func subscribe(
        _ dispatchQueue: DispatchQueue, _ flags: Observer.Flags,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Observer {
        let observer = Observer()
        let call: @Sendable () -> Void = { [weak observer] in
            dispatchQueue.async { [weak observer] in
                if observer?.isActive ?? false { handler(nil) }
            }
        }
        do {
            let entity = try binding().entity
            guard engine.isOpen else { throw StoreTypes.closed }
            if !flags.contains(.dontSubscribe), let queries = types.liveQueries {
                let number = try queries.observe(entity, call)
                observer.onEnd { queries.remove(number) }
            }
            if flags.contains(.sendInitial) { dispatchQueue.async { handler(nil) } }
        } catch {
            observer.fail(error)
            let failure = observer.error
            dispatchQueue.async { handler(failure) }
        }
        return observer
    }
}

/// Gives a result, or the reason why there is none.
func deliver<E>(
    _ error: DaybookError?, _ handler: ([E], DaybookError?) -> Void, _ read: () throws -> [E]
) {
    if let error { return handler([], error) }
    do {
        handler(try read(), nil)
    } catch {
        handler([], error as? DaybookError ?? DaybookError(.inputOutput, "\(error)"))
    }
}
