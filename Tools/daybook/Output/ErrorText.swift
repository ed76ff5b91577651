import DaybookBytes

/// An error in words, on one line: what happened, and what led to it.
enum ErrorText {
    static func text(of error: any Error) -> String {
        guard let error = error as? DaybookError else { return "\(error)" }
        guard let cause = error.cause else { return error.message }
        return error.message + " Cause: " + text(of: cause)
    }
}
