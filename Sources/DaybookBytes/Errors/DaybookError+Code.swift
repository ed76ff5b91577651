extension DaybookError {
    /// A kind of failure. New kinds may be added in later releases, so a `switch` needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, such as `"locked"`: stable across releases.
        public let rawValue: String
        /// Makes a code of a name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        // MARK: The directory and its files

        /// The directory holds files, but none that make it a store.
        public static let notAStore = Code(rawValue: "notAStore")
        /// The store was written by a newer release, in a format that this one cannot read.
        public static let formatTooNew = Code(rawValue: "formatTooNew")
        /// Another process, or another `Store` in this one, has the directory open for writing.
        public static let locked = Code(rawValue: "locked")
        /// A file or directory is not there.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// A file of that name is there already.
        public static let fileExists = Code(rawValue: "fileExists")
        /// The operating system refuses access to a file or directory.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The volume or the quota is full; nothing of the failed operation was kept.
        public static let outOfSpace = Code(rawValue: "outOfSpace")
        /// Any other failure of the operating system; `details["errno"]` has its number.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// Stored bytes are not what was written: never skipped, never repaired silently.
        public static let corruption = Code(rawValue: "corruption")
        /// A sync failed, so what reached the disk is unknown; reopen the store to find out.
        public static let durabilityUnknown = Code(rawValue: "durabilityUnknown")
        /// A directory that cannot take a backup of this store, or no longer holds a good one.
        public static let backupInvalid = Code(rawValue: "backupInvalid")
        /// The history asked for was dropped by compaction.
        public static let historyTruncated = Code(rawValue: "historyTruncated")
        /// A place in the history of another store, or of another course of this one's history.
        public static let historyOfAnotherStore = Code(rawValue: "historyOfAnotherStore")

        // MARK: Using a store

        /// The store, or the transaction, was closed.
        public static let closed = Code(rawValue: "closed")
        /// The store was opened read-only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// A write was tried inside a read transaction.
        public static let cannotWriteWhileReading = Code(rawValue: "cannotWriteWhileReading")
        /// A converter used a store.
        public static let insideConversion = Code(rawValue: "insideConversion")
        /// An inner block of this transaction failed, so the whole of it will be rolled back.
        public static let transactionDoomed = Code(rawValue: "transactionDoomed")
        /// The entity's declaration contradicts what the store has on disk.
        public static let schemaMismatch = Code(rawValue: "schemaMismatch")
        /// The store was written under a newer version of the program's schema.
        public static let schemaTooNew = Code(rawValue: "schemaTooNew")
        /// The program's conversion of an object failed; the store is as it was before the opening.
        public static let migrationFailed = Code(rawValue: "migrationFailed")
        /// The entity type was not among those that the store was opened with.
        public static let entityNotRegistered = Code(rawValue: "entityNotRegistered")
        /// `insert` of an id that an object already has.
        public static let idExists = Code(rawValue: "idExists")
        /// `update` or `remove` of an id that no object has.
        public static let notFound = Code(rawValue: "notFound")
        /// An id that was never assigned by this store, on an entity whose ids it assigns.
        public static let idUnknown = Code(rawValue: "idUnknown")
        /// An id outside the range that an object may have.
        public static let idInvalid = Code(rawValue: "idInvalid")
        /// Another object has the same values in a unique index; `details` names it.
        public static let uniqueViolation = Code(rawValue: "uniqueViolation")
        /// A put under an id whose object has another primary key.
        public static let primaryKeyChanged = Code(rawValue: "primaryKeyChanged")
        /// A relation to an object that is not stored yet.
        public static let cannotRelateToUnsaved = Code(rawValue: "cannotRelateToUnsaved")
        /// What was to be changed has been changed by others since.
        public static let conflict = Code(rawValue: "conflict")
        /// An object cannot be removed while others are related to it: a delete rule says so.
        public static let relationDenied = Code(rawValue: "relationDenied")
        /// A relation that was read from another store.
        public static let relationOfAnotherStore = Code(rawValue: "relationOfAnotherStore")
        /// A value that does not fit: too large, or of a kind that its place cannot hold.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// An argument that makes no sense; the message names the allowed range.
        public static let invalidArgument = Code(rawValue: "invalidArgument")
        /// A query for one object found several.
        public static let nonUniqueResult = Code(rawValue: "nonUniqueResult")
        /// A number that is too large for the type that it is asked for in, such as a sum.
        public static let overflow = Code(rawValue: "overflow")
        /// The operation was interrupted and left everything as it was.
        public static let interrupted = Code(rawValue: "interrupted")
    }
}

extension DaybookError.Code: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

/// Lets `catch DaybookError.Code.locked` stand for a `where` clause.
package func ~= (code: DaybookError.Code, error: any Error) -> Bool {
    (error as? DaybookError)?.code == code
}
