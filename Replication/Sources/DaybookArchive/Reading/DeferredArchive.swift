import Daybook
public import DaybookReplica

/// An archive that is opened when a replica needs it, so that a replica starts without it.
public struct DeferredArchive: LogArchive {
    private let storage: any ObjectStorage

    /// Names the place of an archive. Sends nothing.
    public init(_ storage: any ObjectStorage) { self.storage = storage }

    /// The identity of the store. Throws the errors of `Archive.open`.
    public func storeIdentity() async throws -> String { try await Archive.open(storage).store }

    /// Brings a replica up to the end of the archive. Throws the errors of `Archive.open`, and as
    /// ``Archive/catchUp(directoryPath:after:)``.
    public func catchUp(
        directoryPath: String, after sequence: UInt64
    ) async throws -> LogArchiveEnd {
        try await Archive.open(storage)
            .catchUp(directoryPath: directoryPath, after: sequence)
    }
}
