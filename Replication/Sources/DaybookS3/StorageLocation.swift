import Daybook
public import DaybookArchive

/// The places that commands and configuration files name.
public enum StorageLocation {
    /// Opens a storage: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`, with the credentials of the
    /// environment, or `file:///DIRECTORY`. Sends nothing.
    ///
    /// Throws `.invalidArgument` for another text, and for missing credentials.
    public static func open(_ text: String) throws -> any ObjectStorage {
        if text.hasPrefix("s3://") {
            return S3Bucket(
                try S3Location(text), credentials: try S3Credentials.fromEnvironment())
        }
        let path = text.dropFirst("file://".count)
        guard text.hasPrefix("file:///"), path.count > 1 else {
            throw DaybookError(
                .invalidArgument,
                "The text\(S3Location.shown(text)) is no location of an archive. Use"
                    + " s3://BUCKET/PREFIX or file:///DIRECTORY.")
        }
        return DirectoryStorage(path: String(path))
    }
}
