@testable import DaybookNATS

extension NATSConnection {
    /// The count of requests that wait for replies.
    var pendingReplyCount: Int { core.state.withLock { $0.replies.count } }

    /// The count of subscriptions.
    var subscriptionCount: Int { core.state.withLock { $0.subscriptions.count } }
}

extension NATSConnection {
    /// Sends bytes that the client itself never sends.
    func publishRaw(_ bytes: String) async throws {
        try core.session().write(bytes)
        try await flush()
    }
}
