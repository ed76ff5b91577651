/// The history that a compaction keeps.
package enum HistoryPolicy: Sendable, Equatable {
    /// Keeps everything and only gathers payloads into compressed blocks.
    case all
    /// Keeps the state at this sequence and everything that happened later. Drops versions that
    /// were superseded up to it, and objects that were removed up to it. A sequence up to the
    /// history floor keeps everything that is left.
    case since(UInt64)
    /// Keeps the last version of each object. Drops older versions and removed objects.
    case latest
}
