public import Daybook
import Dispatch

// Subscriptions whose handlers run on the main actor: the ones without a queue.

extension Query {
    /// Calls `changeHandler` on the main actor. Otherwise as
    /// ``subscribe(dispatchQueue:flags:changeHandler:)``.
    public func subscribe(
        flags: Observer.Flags = [.sendInitial], changeHandler: @escaping @MainActor () -> Void
    ) -> Observer {
        subscribe(dispatchQueue: .main, flags: flags) {
            MainActor.assumeIsolated { changeHandler() }
        }
    }

    /// Calls `resultHandler` on the main actor, where the objects are also read and decoded.
    /// Otherwise as ``subscribe(dispatchQueue:flags:resultHandler:)``.
    public func subscribe(
        flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @MainActor ([E], DaybookError?) -> Void
    ) -> Observer {
        follow(on: .main, flags) { error in
            MainActor.assumeIsolated {
                deliver(error, resultHandler, or: []) { try self.find() }
            }
        }
    }

    /// ``subscribe(flags:resultHandler:)`` with a `ContiguousArray`.
    public func subscribeContiguous(
        flags: Observer.Flags = [.sendInitial],
        resultHandler: @escaping @MainActor (ContiguousArray<E>, DaybookError?) -> Void
    ) -> Observer {
        follow(on: .main, flags) { error in
            MainActor.assumeIsolated {
                deliver(error, resultHandler, or: []) { try self.findContiguous() }
            }
        }
    }
}
