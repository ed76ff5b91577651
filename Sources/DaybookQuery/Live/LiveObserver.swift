package import DaybookBytes

/// A subscriber that is notified of each commit that touches an entity.
package struct LiveObserver: Sendable {
    /// A notification of the subscriber.
    package enum Notice: Sendable {
        /// A commit touches the entity.
        case commit
        /// The log cannot be read. There are no more notices.
        case failure(DaybookError)
        /// The store is closed. There are no more notices.
        case end
    }

    let entity: UInt32
    /// The newest version at registration. Commits up to it are not reported.
    let start: UInt64
    let tell: @Sendable (Notice) -> Void
}
