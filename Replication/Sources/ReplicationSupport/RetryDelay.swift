/// The waits between attempts: they double up to a limit, and are random, so that two writers do
/// not repeat their attempts at the same times.
package struct RetryDelay {
    private static let first = Duration.milliseconds(20)
    private static let longest = Duration.seconds(1)
    private var next = Self.first

    package init() {}

    /// Waits. Returns early if the task is cancelled.
    package mutating func wait() async {
        let duration = next * Double.random(in: 0.5...1)
        next = min(next * 2, Self.longest)
        try? await Task.sleep(for: duration)
    }
}
