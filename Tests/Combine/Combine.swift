// A stand-in for the parts of Combine that the library uses, as Apple documents them, so that code
// for platforms with Combine is type-checked on other platforms. Its functions do nothing.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public protocol Cancellable { func cancel() }

public protocol Subscription: Cancellable { func request(_ demand: Subscribers.Demand) }

public protocol Subscriber<Input, Failure> {
    associatedtype Input
    associatedtype Failure: Error
    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

public enum Subscribers {
    public struct Demand: Equatable, Sendable {
        public static let unlimited = Demand()
        public static let none = Demand()
        public static func max(_ value: Int) -> Demand { Demand() }
    }

    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

public final class AnyCancellable: Cancellable {
    public init(_ cancel: @escaping () -> Void) {}
    public func cancel() {}
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {}
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure
    public let createPublisher: () -> DeferredPublisher
    public init(createPublisher: @escaping () -> DeferredPublisher) {
        self.createPublisher = createPublisher
    }
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {}
}

public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
    func send(completion: Subscribers.Completion<Failure>)
    func send(subscription: any Subscription)
}

public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    public final var value: Output
    public init(_ value: Output) { self.value = value }
    public final func send(_ value: Output) {}
    public final func send(completion: Subscribers.Completion<Failure>) {}
    public final func send(subscription: any Subscription) {}
    public final func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {}
}

public enum Publishers {
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public let transform: (Upstream.Output) -> Output?
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {}
    }

    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
        public let upstream: Upstream
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {}
    }
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher() }

    public func compactMap<T>(
        _ transform: @escaping (Output) -> T?
    ) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }

    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(upstream: self)
    }

    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        AnyCancellable {}
    }
}
