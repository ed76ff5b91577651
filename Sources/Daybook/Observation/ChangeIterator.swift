import DaybookBytes

/// The reading of elements, which differs between the sequences of changes.
///
/// An iterator is a ``ChangeIterator`` with such steps.
protocol ChangeSteps {
    associatedtype Element

    /// Registers for changes, and returns the first element.
    ///
    /// - Parameter wake: Must be called when ``advance()`` may return an element, on any thread.
    nonisolated(nonsending) mutating func begin(
        _ wake: @escaping @Sendable () -> Void
    ) async throws -> Element

    /// Returns the next element; nil if there is none yet. Throws `.closed` when the store is
    /// closed.
    nonisolated(nonsending) mutating func advance() async throws -> Element?

    /// Unregisters from the store.
    mutating func end()
}

/// The common part of the iterators over changes: the first element, the wait for a change, and the
/// end with the store, the task or an error.
struct ChangeIterator<Steps: ChangeSteps> {
    private(set) var steps: Steps
    private var wakes: AsyncStream<Void>.Iterator?
    private var isOver = false

    init(_ steps: Steps) { self.steps = steps }

    /// Returns the first element at the first call, and then each later one, suspending until there
    /// is one. Returns nil when the store is closed or the task is cancelled.
    ///
    /// Throws the errors of the steps; `.closed` only if the store was closed before the first
    /// element. The iteration ends after an error.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Steps.Element? {
        guard !isOver else { return nil }
        do {
            try Task.checkCancellation()
            if let element = try await element(isolation: actor) { return element }
        } catch DaybookError.Code.closed where wakes != nil {
            // The sequence ends with the store.
        } catch is CancellationError {
            // The sequence ends with its task.
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    private mutating func element(
        isolation actor: isolated (any Actor)?
    ) async throws -> Steps.Element? {
        if wakes == nil {
            let (stream, continuation) = Self.wakes()
            let first = try await steps.begin { continuation.yield() }
            wakes = stream.makeAsyncIterator()
            return first
        }
        while !Task.isCancelled {
            if let element = try await steps.advance() { return element }
            guard await wakes?.next(isolation: actor) != nil else { break }
        }
        return nil
    }

    /// Returns the first element of steps that can read it on the current thread. The iteration
    /// continues with the second element. Throws the errors of `begin`.
    mutating func begin<Element>(
        _ begin: (inout Steps, _ wake: @escaping @Sendable () -> Void) throws -> Element
    ) throws -> Element {
        let (stream, continuation) = Self.wakes()
        let first = try begin(&steps) { continuation.yield() }
        wakes = stream.makeAsyncIterator()
        return first
    }

    private mutating func end() {
        isOver = true
        wakes = nil
        steps.end()
    }

    /// Any number of wakes is as good as one.
    private static func wakes() -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) {
        AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }
}
