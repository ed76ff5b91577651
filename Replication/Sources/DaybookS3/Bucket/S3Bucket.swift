internal import Daybook
public import DaybookArchive

/// An object storage in a bucket of Amazon S3 or a compatible service.
///
/// The service must support conditional writes (`If-None-Match: *`) for single objects and for
/// uploads in parts, and list objects in the order of their bytes. A service that ignores the
/// condition would replace objects without notice. Amazon S3 documents it; SeaweedFS is tested.
///
/// An upload in parts whose process ends at once, or whose begin had no answer, leaves parts that
/// cost space. A rule of the bucket for incomplete uploads removes them.
///
/// All calls throw `.storageUnavailable` after ``S3Options/attemptCountMax`` attempts or for a
/// request that the service refuses, `.permissionDenied` for wrong credentials or missing rights,
/// `.invalidArgument` for an invalid key and a location that is not that of the bucket, and
/// `CancellationError` soon after their task is cancelled.
public final class S3Bucket: ObjectStorage {
    /// The location.
    public let location: S3Location

    /// Sends requests. Its options are inside their ranges.
    let sender: RequestSender

    /// Creates a storage that asks for credentials before each attempt of a request, so that
    /// temporary ones can change. Sends nothing.
    ///
    /// `credentials` should keep its result for some time, counts into the time limit of an
    /// attempt, and must end when its task is cancelled.
    public convenience init(
        _ location: S3Location, credentials: @escaping @Sendable () async throws -> S3Credentials,
        options: S3Options = S3Options()
    ) {
        self.init(location, credentials, options, partSizeBytesMin: 5 << 20)
    }

    /// Creates a storage with fixed credentials. Sends nothing.
    public convenience init(
        _ location: S3Location, credentials: S3Credentials, options: S3Options = S3Options()
    ) {
        self.init(location, credentials: { credentials }, options: options)
    }

    /// Creates a storage whose parts may be shorter than the services allow, for tests.
    init(
        _ location: S3Location,
        _ credentials: @escaping @Sendable () async throws -> S3Credentials, _ options: S3Options,
        partSizeBytesMin: Int
    ) {
        self.location = location
        sender = RequestSender(
            location: location, credentials: credentials,
            options: options.limited(partSizeBytesMin: partSizeBytesMin))
    }

    /// The bucket and the prefix, such as `s3://backups/notes`.
    public var name: String { location.description }

    /// Removes an object. Does nothing if there is none. One request.
    public func remove(_ key: String) async throws {
        let request = S3Request(.delete, "remove", key: try wholeKey(key))
        let answer = try await sender.send(request)
        guard let failure = answer.failure else { return }
        if failure.status == 404 && failure.code != "NoSuchBucket" { return }
        throw DaybookError.storage(failure, request, location)
    }

    /// Returns a key with the prefix of the location. Throws `.invalidArgument` for one that is not
    /// valid.
    func wholeKey(_ key: String) throws(DaybookError) -> String {
        let whole = location.keyBegin + key
        try ObjectKey.check(whole)
        return whole
    }
}
