public import DaybookBytes
public import Observation

/// The current value of ``ObservedValues`` or ``ObjectValues``, for views: see
/// ``ObservedValues/live()``.
///
/// The object is observable: a view, or a call of `withObservationTracking`, that reads ``value``
/// is notified when it changes. It is isolated to the main actor. It reads nothing until one of its
/// properties is read; from then on it follows the store until it is deallocated.
@MainActor
public final class LiveValue<Value> {
    private nonisolated let registrar = ObservationRegistrar()
    private var current: Value?
    private var failure: DaybookError?
    private let task = TaskHolder()

    /// Begins to follow the values.
    private let begin: @MainActor (LiveValue) -> Task<Void, Never>

    init<Values: AsyncSequence & Sendable>(_ values: Values)
    where Values.Element == Value, Values.Failure == DaybookError {
        begin = { live in
            Task { [weak live] in
                do throws(DaybookError) {
                    for try await value in values {
                        guard let live else { return }
                        live.take(value)
                    }
                } catch {
                    live?.take(error)
                }
            }
        }
    }

    /// The current value. Nil until it was computed for the first time.
    public var value: Value? {
        start()
        registrar.access(self, keyPath: \.value)
        return current
    }

    /// The error that ended the updates, such as an error of the closure or a damaged store; nil if
    /// there was none. Closing the store also ends the updates, keeps the value, and is not an
    /// error.
    public var error: DaybookError? {
        start()
        registrar.access(self, keyPath: \.error)
        return failure
    }

    private func start() {
        if task.task == nil { task.task = begin(self) }
    }

    private func take(_ value: Value) {
        registrar.withMutation(of: self, keyPath: \.value) { current = value }
    }

    private func take(_ error: DaybookError) {
        registrar.withMutation(of: self, keyPath: \.error) { failure = error }
    }
}

extension LiveValue: @MainActor Observable {}

extension ObservedValues {
    /// Returns an observable object with the current value, for views on the main actor.
    ///
    /// The value is nil until it was computed in the background for the first time. Never throws:
    /// errors are in ``LiveValue/error``.
    @MainActor
    public func live() -> LiveValue<Value> { LiveValue(self) }
}

extension ObjectValues {
    /// Returns an observable object with the current object, for views on the main actor.
    ///
    /// The value is nil until the object was read in the background for the first time. Never
    /// throws: errors are in ``LiveValue/error``.
    @MainActor
    public func live() -> LiveValue<ObjectValue<E>> { LiveValue(self) }
}
