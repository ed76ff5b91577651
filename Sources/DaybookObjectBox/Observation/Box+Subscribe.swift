public import Daybook
public import Dispatch

// Subscriptions to all objects of a type; Daybook has `updates()`.

extension Box {
    /// Calls `changeHandler` once for each durable commit that changes objects of the type, or the
    /// links from them, in the order of the commits.
    ///
    /// A transaction that fails or changes nothing causes no call. Writers never wait for the
    /// handler: the calls for a slow handler are counted, and made one after the other.
    ///
    /// - Parameters:
    ///   - dispatchQueue: The queue on which the handler runs.
    ///   - flags: By default, the handler is also called once at the beginning.
    ///   - changeHandler: Called after each commit that changes the box.
    /// - Returns: The subscription. It ends when the observer is deallocated. If the store is
    ///   closed, the subscription ends at once: see ``DaybookObjectBox/Observer/error``.
    public func subscribe(
        dispatchQueue: DispatchQueue, flags: Observer.Flags = [.sendInitial],
        changeHandler: @escaping @Sendable () -> Void
    ) -> Observer {
        follow(on: dispatchQueue, flags) { error in
            if error == nil { changeHandler() }
        }
    }

    /// Calls `resultHandler` with all objects whenever
    /// ``subscribe(dispatchQueue:flags:changeHandler:)`` calls its handler. The newest objects are
    /// read and decoded on `dispatchQueue`. If that fails, the handler receives an empty array and
    /// the error.
    public func subscribe(
        dispatchQueue: DispatchQueue, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable ([E], DaybookError?) -> Void
    ) -> Observer {
        follow(on: dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { try self.all() }
        }
    }

    /// ``subscribe(dispatchQueue:flags:resultHandler:)`` with a `ContiguousArray`.
    public func subscribeContiguous(
        dispatchQueue: DispatchQueue, flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @Sendable (ContiguousArray<E>, DaybookError?) -> Void
    ) -> Observer {
        follow(on: dispatchQueue, flags) { error in
            deliver(error, resultHandler, or: []) { ContiguousArray(try self.all()) }
        }
    }

    func follow(
        on dispatchQueue: DispatchQueue, _ flags: Observer.Flags,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) -> Observer {
        Observer(
            followCommits(
                on: dispatchQueue, sendsInitial: flags.contains(.sendInitial),
                continues: !flags.contains(.dontSubscribe), handler))
    }
}

/// Calls `handler` with a result, or with `nothing` and the error. If the store was closed after
/// the notification, the subscription has ended, so there is no call.
func deliver<Result>(
    _ error: DaybookError?, _ handler: (Result, DaybookError?) -> Void, or nothing: Result,
    _ read: () throws -> Result
) {
    if let error { return handler(nothing, error) }
    let result: Result
    do {
        result = try read()
    } catch DaybookError.Code.closed {
        return
    } catch {
        return handler(nothing, .wrapping(error))
    }
    handler(result, nil)
}
