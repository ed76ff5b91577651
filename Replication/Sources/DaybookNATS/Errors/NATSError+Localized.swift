public import Foundation

extension NATSError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
