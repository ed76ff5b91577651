/// The result of a repair: `Store.repair(at:into:keepsIncompleteCommits:progress:isCancelled:)`.
public struct RepairReport: Sendable, Equatable {
    /// A damaged place of the log.
    public struct Damage: Sendable, Equatable {
        /// The name of the file.
        public var file: String
        /// The damaged bytes of the file. Empty for a missing file.
        public var bytes: Range<Int>
        /// The commits of which no record was found. In a store whose history was dropped, some of
        /// these numbers may belong to commits that the compaction removed. Nil if there are none.
        public var lostSequences: ClosedRange<UInt64>?
        /// The commits of which some records may be lost, ascending.
        public var incompleteSequences: [UInt64]
        /// The reason, for people.
        public var reason: String

        /// Whether data is lost, and not only bytes that the repair could replace.
        public var losesData: Bool { lostSequences != nil || !incompleteSequences.isEmpty }
    }

    /// An object whose newest version is lost.
    public struct LostObject: Sendable, Equatable {
        /// The name of the entity.
        public var entity: String
        /// The id of the object.
        public var id: UInt64
        /// The commit that wrote the lost version; nil if it is unknown.
        public var lostSequence: UInt64?
        /// The commit of the version that the new store has instead; nil if it has none.
        public var keptSequence: UInt64?
    }

    /// A link that was removed because an object at one of its ends is lost.
    public struct LostLink: Sendable, Equatable {
        /// The relation, such as `Order.customer`.
        public var relation: String
        /// The id of the source.
        public var source: UInt64
        /// The id of the target.
        public var target: UInt64
    }

    /// Damaged places, in the order of the log.
    public var damages: [Damage] = []
    /// Damage of other files, and files that were not used, for people. No data is lost by it.
    public var notes: [String] = []
    /// Objects that are known to lack their newest version: an intact snapshot or a link names
    /// them, or their version contradicts a newer object. Without a snapshot, further objects may
    /// have had versions in the lost commits.
    public var lostObjects: [LostObject] = []
    /// Links to or from objects that do not exist any more.
    public var lostLinks: [LostLink] = []
    /// The numbers of layouts that are lost, ascending. Rows of these and of later layouts cannot
    /// be decoded.
    public var lostLayouts: [UInt32] = []
    /// The number of intact rows that were left out because their layout is lost.
    public var undecodableRowCount = 0
    /// The last commit of the new store.
    public var sequence: UInt64 = 0
    /// The number of commits in the new store.
    public var transactionCount = 0
    /// The number of objects in the new store.
    public var objectCount = 0
    /// The size of the new log in bytes.
    public var lengthBytes = 0

    /// Whether the new store lacks data of the damaged one.
    public var losesData: Bool {
        damages.contains(where: \.losesData) || undecodableRowCount > 0 || !lostLayouts.isEmpty
    }
}
