internal import Daybook
internal import DaybookArchive

extension DaybookError {
    /// Returns the code and the remedy of a failure.
    static func explanation(
        _ failure: S3Failure, _ location: S3Location
    ) -> (code: Code, remedy: String) {
        if failure.isOutOfSpace {
            return (.outOfSpace, "Free space in the storage, or raise its quota.")
        }
        if failure.isRedirect {
            let region = failure.region.map { " The bucket is in the region \($0)." } ?? ""
            return (
                .invalidArgument,
                "The endpoint \(location.endpoint) or the region \(location.region) does not"
                    + " belong to the bucket.\(region) Correct the location."
            )
        }
        if let (code, remedy) = named(failure.code, location) { return (code, remedy) }
        switch failure.status {
        case 401, 403: return (.permissionDenied, "Check the credentials and their policy.")
        case 404, 405:
            return (
                .storageUnavailable,
                "Check that the endpoint \(location.endpoint) is a service that is compatible with"
                    + " S3."
            )
        case 501:
            return (
                .storageUnavailable,
                "Use a service that supports conditional writes (If-None-Match)."
            )
        default:
            return (.storageUnavailable, "Correct the cause that the service names, and try again.")
        }
    }

    /// Returns the code and the remedy of a failure that the service names; nil for other names.
    private static func named(
        _ name: String?, _ location: S3Location
    ) -> (code: Code, remedy: String)? {
        switch name {
        case "NoSuchBucket":
            (
                .storageUnavailable,
                "Create the bucket \(location.bucket), or correct the location."
            )
        case "RequestTimeTooSkewed":
            (.permissionDenied, "Check the clock of this computer.")
        case "SignatureDoesNotMatch", "InvalidAccessKeyId", "InvalidToken":
            (.permissionDenied, "Check the credentials.")
        case "ExpiredToken", "TokenRefreshRequired":
            (.permissionDenied, "Renew the temporary credentials.")
        case "AccessDenied", "AllAccessDisabled", "AccountProblem":
            (
                .permissionDenied,
                "Check the policy of the credentials and the bucket: Daybook needs to read, write,"
                    + " list and remove objects, and to abort uploads."
            )
        case "EntityTooLarge":
            (.invalidValue, "Store less in one object.")
        default: nil
        }
    }
}
