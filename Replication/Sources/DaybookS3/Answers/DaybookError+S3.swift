internal import Daybook
internal import DaybookArchive

extension DaybookError {
    /// The error for a failure that another attempt would not change.
    static func storage(
        _ failure: S3Failure, _ request: S3Request, _ location: S3Location
    ) -> DaybookError {
        let (code, remedy) = explanation(failure, location)
        var details = details(request, location)
        details["status"] = String(failure.status)
        details["code"] = failure.code
        details["region"] = failure.region
        var reason = "status \(failure.status)"
        if let name = failure.code { reason += " \(name)" }
        if let text = shownMessage(failure) { reason += ", \"\(text)\"" }
        return DaybookError(
            code,
            "The storage refused to \(request.action) \(location.name(request.key)) (\(reason))."
                + " \(remedy)", details: details)
    }

    /// The error after the last attempt.
    static func unavailable(
        _ request: S3Request, _ location: S3Location, _ attemptCount: Int, _ cause: any Error
    ) -> DaybookError {
        var details = details(request, location)
        if let cause = cause as? DaybookError {
            details["status"] = cause.details["status"]
            details["code"] = cause.details["code"]
        }
        return DaybookError(
            .storageUnavailable,
            "The storage at \(location.endpoint) did not \(request.action)"
                + " \(location.name(request.key)) in \(attemptCount) attempts. Check the service"
                + " and the network, and try again.", cause: cause, details: details)
    }

    /// The error for an answer beyond its limit.
    static func answerTooLong(
        _ request: S3Request, _ location: S3Location, _ sizeBytesMax: Int
    ) -> DaybookError {
        var details = details(request, location)
        details["sizeBytesMax"] = String(sizeBytesMax)
        return DaybookError(
            .invalidValue,
            "The answer of the storage to \(request.action) \(location.name(request.key)) exceeds"
                + " \(sizeBytesMax) bytes. Read ranges, or raise answerSizeBytesMax in the"
                + " options.", details: details)
    }

    /// The error for bytes that could not be read again at once.
    static func objectTooLong(
        _ key: String, _ location: S3Location, _ sizeBytesMax: Int
    ) -> DaybookError {
        DaybookError(
            .invalidValue,
            "The content of \(location.name(key)) exceeds \(sizeBytesMax) bytes. Create the object"
                + " with a file, or raise answerSizeBytesMax in the options to at most 2 GiB.",
            details: [
                "bucket": location.bucket, "key": key, "sizeBytesMax": String(sizeBytesMax),
            ])
    }

    /// The error for a file beyond the limit of an upload in parts.
    static func fileTooLong(_ path: String, _ sizeBytesMax: Int) -> DaybookError {
        DaybookError(
            .invalidValue,
            "The file \(path) exceeds \(sizeBytesMax) bytes. Store it as several objects.",
            details: ["path": path, "sizeBytesMax": String(sizeBytesMax)])
    }

    /// The error for an address that the client does not accept.
    static func invalidAddress(_ request: S3Request, _ location: S3Location) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The address of \(location.name(request.key)) at the endpoint \(location.endpoint) is"
                + " not valid. Correct the endpoint or the addressing.",
            details: details(request, location))
    }

    /// The error for an answer that is not understood.
    static func malformedAnswer(
        _ problem: any Error, _ request: S3Request, _ location: S3Location
    ) -> DaybookError {
        DaybookError(
            .storageUnavailable,
            "The answer of the storage to \(request.action) \(location.name(request.key)) is not"
                + " that of S3: \(problem). Check that the endpoint \(location.endpoint) is a"
                + " service that is compatible with S3.", details: details(request, location))
    }

    private static func details(
        _ request: S3Request, _ location: S3Location
    ) -> [String: String] {
        var details = ["bucket": location.bucket]
        details["key"] = request.key
        return details
    }

    /// The message of the service, shortened; nil if it may repeat a part of the authorization.
    private static func shownMessage(_ failure: S3Failure) -> String? {
        guard let message = failure.message, !message.isEmpty else { return nil }
        let lower = message.lowercased()
        let isSecret = ["signature=", "credential=", "aws4-hmac", "authorization:", "x-amz-"]
            .contains { lower.contains($0) }
        if isSecret { return nil }
        let text = message.unicodeScalars.prefix(200)
            .map { $0.properties.generalCategory == .control ? " " : Character($0) }
        return String(text)
    }
}

extension S3Location {
    /// Returns the name of a whole key, or of the bucket, for messages.
    func name(_ key: String?) -> String { "s3://\(bucket)" + (key.map { "/\($0)" } ?? "") }
}
