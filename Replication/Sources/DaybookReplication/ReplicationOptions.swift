public import Daybook
public import DaybookReplica

/// Options of a replica.
public struct ReplicationOptions: Sendable {
    /// When a commit of a writer returns and becomes visible.
    public enum Acknowledgement: Sendable, Hashable {
        /// When the stream has stored it. The loss of this machine loses no such commit.
        case replicated
        /// When the local disk has it, as ``StoreOptions/durability`` says. It is shipped later.
        /// If this machine is lost, or another replica takes over first, the commit is not in the
        /// log.
        case local
    }

    /// When an opening writer takes over the log.
    public enum Takeover: Sendable, Hashable {
        /// At once.
        case immediately
        /// When the log has had no frame of its writer for a time. The opening then waits, as a
        /// standby that has all transactions, for as long as the writer lives. The time must be
        /// several times ``heartbeatInterval`` of the writer, and longer than the election of a new
        /// leader of the stream, which takes up to 20 seconds.
        case afterSilence(Duration)
    }

    /// The options of the store.
    ///
    /// The default durability syncs once a second: the stream contains what a power failure undoes.
    /// With ``Acknowledgement/local``, use ``Durability/always``.
    public var store: StoreOptions
    /// When a commit returns. The default is `.replicated`.
    public var acknowledgement = Acknowledgement.replicated
    /// How long a commit waits for the stream before it throws `.replicationTimedOut`, and how long
    /// an opening waits for its claim and for progress. The default is 30 seconds; the election of
    /// a new leader takes up to 20.
    public var timeout = Duration.seconds(30)
    /// When an opening writer takes over the log. The default is at once.
    public var takeover = Takeover.immediately
    /// How long a writer is idle before it appends a frame of 124 bytes that shows that it is
    /// alive. The default is 5 seconds.
    public var heartbeatInterval = Duration.seconds(5)
    /// The raw size of the transactions that one batch of frames contains; a longer transaction has
    /// a batch of its own. The default is 1 MiB. A higher value makes bulk writes faster, and the
    /// waits of other commits longer.
    public var batchSizeBytesMax = 1 << 20

    /// The archive from which an opening reads if the stream no longer has the messages that the
    /// replica needs; nil for none.
    public var archive: (any LogArchive)?

    /// Creates the default options.
    public init() {
        store = StoreOptions()
        store.durability = .interval(.seconds(1))
    }

    /// Throws `.invalidArgument` for a value outside its range.
    func check() throws(DaybookError) {
        guard timeout > .zero, heartbeatInterval >= .milliseconds(1), batchSizeBytesMax > 0 else {
            throw DaybookError(
                .invalidArgument,
                "The options of a replica need a timeout and a batch size above zero, and a"
                    + " heartbeat interval of at least a millisecond.")
        }
    }
}
