#if canImport(Combine)
public import Combine
import Dispatch
import Synchronization

extension Query {
    /// The objects that the query finds, now and whenever they change, for Combine. They are read
    /// and made on the main queue. Fails as ``find(offset:limit:)`` throws.
    public var publisher: AnyPublisher<[E], DaybookError> {
        ResultPublisher<E>.made { receive in
            self.subscribe(resultHandler: receive)
        }
    }
}

extension Box {
    /// All objects, now and with each commit that changes some, for Combine: as
    /// ``Query/publisher``.
    public var publisher: AnyPublisher<[E], DaybookError> {
        ResultPublisher<E>.made { receive in
            self.subscribe(resultHandler: receive)
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
            return results.subject.compactMap { $0 }.handleEvents(receiveCancel: {
                observer.unsubscribe()
            })
        }.eraseToAnyPublisher()
    }
}

/// Hands results on from the queue that they are made on.
// SENDABLE: a subject takes what is sent from any thread; here that is the main one alone.
private final class ResultSubject<E: Entity>: @unchecked Sendable {
    let subject = CurrentValueSubject<[E]?, DaybookError>(nil)

    func send(_ objects: [E], _ error: DaybookError?) {
        if let error {
            subject.send(completion: .failure(error))
        } else {
            subject.send(objects)
        }
    }
}
#endif
