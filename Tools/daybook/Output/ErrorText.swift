import DaybookBytes

/// The message of an error and of its causes, on one line.
enum ErrorText {
    static func text(of error: any Error) -> String {
        guard let error = error as? DaybookError else { return "\(error)" }
        guard let cause = error.cause else { return error.message }
        return error.message + " Cause: " + text(of: cause)
    }

    /// Returns a message with escaped control characters, so that no name or path that it contains
    /// changes the terminal. Lines remain lines.
    static func printable(_ message: String) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { TextTable.shown(String($0)) }.joined(separator: "\n")
    }
}
