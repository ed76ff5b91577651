import NIOPosix

/// Runs work that waits for the disk or for a writer, without blocking the server.
enum BlockingWork {
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(work)
    }
}
