/// Cancels a task when deallocated.
@MainActor
final class TaskHolder {
    var task: Task<Void, Never>?

    nonisolated init() {}

    isolated deinit { task?.cancel() }
}
