package import Dispatch
import DaybookEngine
import DaybookQuery

extension Query {
    /// Calls `handler` on a queue with the result, and after that with each change of the result.
    ///
    /// The calls are sequential. Commits that arrive during a call are combined into one update,
    /// so the positions of an update always refer to the result of the previous call.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handlers run and the objects are decoded.
    ///   - failed: Called on the same queue with the error that ends the subscription.
    /// - Returns: The subscription. It ends when it is deallocated.
    package func followUpdates(
        on queue: DispatchQueue, _ handler: @escaping @Sendable (QueryUpdate<E>) -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) -> Subscription {
        let known = KnownObjects<E>()
        return follow(on: queue) { event in
            switch event {
            case .began(let rows): handler(.initial(try known.begin(rows, self)))
            case .changed(let step):
                handler(.update(ChangeSet(step.difference, try known.apply(step, self))))
            }
        } failed: { error in
            failed(error)
        }
    }
}

/// The objects of the previous call of a handler.
// SENDABLE: one subscription uses it, and its calls are sequential. There is no lock, because
// decoding runs code of the entity's type.
private final class KnownObjects<E: Entity>: @unchecked Sendable {
    private var objects: [E] = []

    func begin(_ rows: [StoredRow], _ query: Query<E>) throws -> [E] {
        let binding = try query.binding()
        objects = try query.loaded(rows.map { try binding.decode($0, as: E.self, query.types) })
        return objects
    }

    func apply(_ step: ResultSource.Step, _ query: Query<E>) throws -> [E] {
        let binding = try query.binding()
        let changed = try query.loaded(
            step.rows.map { try binding.decode(try $0.row.get(), as: E.self, query.types) })
        step.apply(to: &objects, changed)
        return objects
    }
}
