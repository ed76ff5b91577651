extension DaybookError {
    /// A kind of failure. Later releases may add codes, so a `switch` needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, such as `"locked"`: stable across releases.
        public let rawValue: String
        /// Creates a code from a name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        // MARK: The directory and its files

        /// The directory contains files, but no store.
        public static let notAStore = Code(rawValue: "notAStore")
        /// A newer release wrote the store in a format that this release cannot read.
        public static let formatTooNew = Code(rawValue: "formatTooNew")
        /// Another process, or another `Store` in this one, has the directory open for writing.
        public static let locked = Code(rawValue: "locked")
        /// A file or directory does not exist.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// A file of that name already exists.
        public static let fileExists = Code(rawValue: "fileExists")
        /// The operating system denies access to a file or directory.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// The volume or the quota is full. The failed operation changed nothing.
        public static let outOfSpace = Code(rawValue: "outOfSpace")
        /// Any other failure of the operating system; `details["errno"]` has its number.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// Stored bytes differ from the written bytes. Corruption is never skipped or repaired
        /// silently.
        public static let corruption = Code(rawValue: "corruption")
        /// A sync failed, so it is unknown which writes reached the disk. Reopen the store to find
        /// out.
        public static let durabilityUnknown = Code(rawValue: "durabilityUnknown")
        /// The directory cannot receive a backup of this store, or no longer contains a valid
        /// backup.
        public static let backupInvalid = Code(rawValue: "backupInvalid")
        /// Compaction dropped the requested history.
        public static let historyTruncated = Code(rawValue: "historyTruncated")
        /// A history position of another store, or of another branch of this store's history.
        public static let historyOfAnotherStore = Code(rawValue: "historyOfAnotherStore")

        // MARK: Using a store

        /// The store, or the transaction, was closed.
        public static let closed = Code(rawValue: "closed")
        /// The store was opened read-only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// A write was attempted inside a read transaction.
        public static let cannotWriteWhileReading = Code(rawValue: "cannotWriteWhileReading")
        /// A migration converter used a store.
        public static let insideConversion = Code(rawValue: "insideConversion")
        /// A nested block of this transaction failed, so the whole transaction will be rolled back.
        public static let transactionAborted = Code(rawValue: "transactionAborted")
        /// The entity's declaration contradicts the stored schema.
        public static let schemaMismatch = Code(rawValue: "schemaMismatch")
        /// A newer version of the program's schema wrote the store.
        public static let schemaTooNew = Code(rawValue: "schemaTooNew")
        /// The program's conversion of an object failed. The store is unchanged.
        public static let migrationFailed = Code(rawValue: "migrationFailed")
        /// The store was opened without this entity type.
        public static let entityNotRegistered = Code(rawValue: "entityNotRegistered")
        /// `insert` of an id that an object already has.
        public static let idExists = Code(rawValue: "idExists")
        /// `update` or `remove` of an id that no object has.
        public static let notFound = Code(rawValue: "notFound")
        /// An id that this store never assigned, of an entity with assigned ids.
        public static let idUnknown = Code(rawValue: "idUnknown")
        /// An id outside the valid range.
        public static let idInvalid = Code(rawValue: "idInvalid")
        /// Another object has the same values in a unique index; `details` names it.
        public static let uniqueViolation = Code(rawValue: "uniqueViolation")
        /// A put with the id of an object that has another primary key.
        public static let primaryKeyChanged = Code(rawValue: "primaryKeyChanged")
        /// A relation to an object that is not stored.
        public static let cannotRelateToUnsaved = Code(rawValue: "cannotRelateToUnsaved")
        /// Another writer changed the object in the meantime.
        public static let conflict = Code(rawValue: "conflict")
        /// A delete rule forbids to remove an object while other objects refer to it.
        public static let relationDenied = Code(rawValue: "relationDenied")
        /// A relation that was read from another store.
        public static let relationOfAnotherStore = Code(rawValue: "relationOfAnotherStore")
        /// A value that is too large, or of a kind that its property cannot store.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// An argument outside the range that the message names.
        public static let invalidArgument = Code(rawValue: "invalidArgument")
        /// A query for one object found several.
        public static let nonUniqueResult = Code(rawValue: "nonUniqueResult")
        /// A query that a test requires to use indexes reads all objects of an entity.
        public static let unindexedQuery = Code(rawValue: "unindexedQuery")
        /// A number that is too large for the requested type, such as a sum.
        public static let overflow = Code(rawValue: "overflow")
        /// The operation was interrupted and changed nothing.
        public static let interrupted = Code(rawValue: "interrupted")
    }
}

extension DaybookError.Code: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

/// Allows `catch DaybookError.Code.locked` in place of a `where` clause.
package func ~= (code: DaybookError.Code, error: any Error) -> Bool {
    (error as? DaybookError)?.code == code
}
