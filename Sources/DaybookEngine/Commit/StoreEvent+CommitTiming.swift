extension StoreEvent {
    /// The size of a commit, and the time that its parts took.
    public struct CommitTiming: Sendable, Hashable {
        /// The sequence of the commit.
        public package(set) var sequence: UInt64 = 0
        /// The number of its records.
        public package(set) var recordCount = 0
        /// The length of its frames in the log.
        public package(set) var lengthBytes = 0
        /// The wait for other writers, from the call on.
        public package(set) var lockWait = Duration.zero
        /// The run of the program's block.
        public package(set) var block = Duration.zero
        /// The encoding, the append to the log, and the changes of the indexes.
        public package(set) var writing = Duration.zero
        /// The wait for the sync; short for a durability below ``Durability/always``.
        public package(set) var syncWait = Duration.zero

        /// The sum of all parts.
        public var duration: Duration { lockWait + block + writing + syncWait }

        var details: [String: String] {
            [
                "sequence": String(sequence), "records": String(recordCount),
                "bytes": String(lengthBytes), "lockWaitSeconds": lockWait.secondsText,
                "blockSeconds": block.secondsText, "writingSeconds": writing.secondsText,
                "syncWaitSeconds": syncWait.secondsText,
            ]
        }
    }
}
