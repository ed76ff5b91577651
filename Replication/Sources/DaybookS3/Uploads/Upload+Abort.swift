internal import Daybook
internal import DaybookArchive

extension Upload {
    /// Removes the parts as far as possible; a failure leaves them to a rule of the bucket.
    ///
    /// Works in a cancelled task too, but has only one short attempt there.
    func abort(_ id: String) async {
        var request = S3Request(.delete, "abort the upload of", key: key)
        request.query = [QueryItem("uploadId", id)]
        var options = sender.options
        if Task.isCancelled {
            options.timeout = min(options.timeout, .seconds(2))
            options.attemptCountMax = 1
        }
        let abortSender = RequestSender(
            location: sender.location, credentials: sender.credentials, options: options)
        // A new task, because a cancelled one sends nothing.
        let task = Task { [request] in _ = try? await abortSender.send(request) }
        await task.value
    }
}

extension DaybookError {
    /// The error for an upload that a service forgets again and again.
    static func uploadLost(_ key: String, _ location: S3Location) -> DaybookError {
        DaybookError(
            .storageUnavailable,
            "The storage lost each upload of \(location.name(key)). Check its log and its rules for"
                + " incomplete uploads, and try again.",
            details: ["bucket": location.bucket, "key": key])
    }
}
