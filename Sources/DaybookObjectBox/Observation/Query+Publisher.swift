#if canImport(Combine)
public import Combine
public import Daybook
import Dispatch

extension Query {
    /// A Combine publisher of the objects that the query finds: the current ones, and the new ones
    /// whenever they change. They are read and decoded on the main queue. Finishes when the store
    /// is closed. Fails with the errors of `find`.
    public var publisher: AnyPublisher<[E], DaybookError> {
        ResultPublisher<E>.made { receive in
            self.subscribe(dispatchQueue: .main, resultHandler: receive)
        }
    }
}

extension Box {
    /// A Combine publisher of all objects: the current ones, and the new ones after each commit
    /// that changes some. Same as `publisher` of a query.
    public var publisher: AnyPublisher<[E], DaybookError> {
        ResultPublisher<E>.made { receive in
            self.subscribe(dispatchQueue: .main, resultHandler: receive)
        }
    }
}

private enum ResultPublisher<E: Entity> {
    static func made(
        _ subscribe: @escaping (@escaping @Sendable ([E], DaybookError?) -> Void) -> Observer
    ) -> AnyPublisher<[E], DaybookError> {
        Deferred {
            let results = ResultSubject<E>()
            let observer = subscribe { objects, error in results.send(objects, error) }
            observer.whenClosed { results.finish() }
            return results.subject.compactMap { $0 }.handleEvents(receiveCancel: {
                observer.unsubscribe()
            })
        }.eraseToAnyPublisher()
    }
}

/// Forwards results from the queue on which they are decoded.
// SENDABLE: a subject accepts values from any thread; here only the main thread sends.
private final class ResultSubject<E: Entity>: @unchecked Sendable {
    let subject = CurrentValueSubject<[E]?, DaybookError>(nil)

    func send(_ objects: [E], _ error: DaybookError?) {
        if let error {
            subject.send(completion: .failure(error))
        } else {
            subject.send(objects)
        }
    }

    func finish() { subject.send(completion: .finished) }
}
#endif
