internal import Daybook
internal import DaybookArchive

extension Upload {
    /// Removes the parts as far as possible; a failure leaves them to a rule of the bucket.
    ///
    /// Has one short attempt. Works in a cancelled task too, and ends soon after the cancellation.
    func abort(_ id: String) async {
        var request = S3Request(.delete, "abort the upload of", key: key)
        request.query = [QueryItem("uploadId", id)]
        var options = sender.options
        options.timeout = min(options.timeout, options.abortTimeout)
        options.attemptCountMax = 1
        let abortSender = RequestSender(
            location: sender.location, credentials: sender.credentials, options: options)
        // A new task, because a cancelled one sends nothing.
        let task = Task { [request] in _ = try? await abortSender.send(request) }
        let timeout = options.cancelledAbortTimeout
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: timeout)
                task.cancel()
            }
        }
    }
}

extension DaybookError {
    /// The error for an upload that a service forgets or refuses again and again.
    static func uploadLost(_ key: String, _ location: S3Location) -> DaybookError {
        DaybookError(
            .storageUnavailable,
            "The storage lost each upload of \(location.name(key)), or refused it because of"
                + " another one. Check the log of the storage, its rules for incomplete uploads and"
                + " the other writers of the object, and try again.",
            details: ["bucket": location.bucket, "key": key])
    }
}
