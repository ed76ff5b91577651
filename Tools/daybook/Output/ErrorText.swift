import DaybookBytes

/// The message of an error and of its causes, on one line.
enum ErrorText {
    static func text(of error: any Error) -> String {
        guard let error = error as? DaybookError else { return "\(error)" }
        guard let cause = error.cause else { return error.message }
        return error.message + " Cause: " + text(of: cause)
    }
}
