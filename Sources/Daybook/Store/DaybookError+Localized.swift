#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import DaybookBytes

extension DaybookError: LocalizedError {
    /// The ``message``, so that `localizedDescription` shows it. It includes the remedy.
    public var errorDescription: String? { message }
}
