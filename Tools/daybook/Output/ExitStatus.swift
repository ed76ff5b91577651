import ArgumentParser
import DaybookBytes

/// The exit status of the process. Scripts rely on these numbers: never renumber.
enum ExitStatus: Int32, Error {
    case success = 0
    case failure = 1
    case usage = 2
    case corruption = 3
    case repairable = 4
    case locked = 5
    case formatTooNew = 6
    case nothingMatched = 7
    case interrupted = 130

    /// Returns the exit status for an error of the engine.
    init(_ error: DaybookError) {
        switch error.code {
        case .corruption: self = .corruption
        case .locked: self = .locked
        case .formatTooNew: self = .formatTooNew
        case .interrupted: self = .interrupted
        case .invalidArgument: self = .usage
        default: self = .failure
        }
    }

    var code: ExitCode { ExitCode(rawValue) }
}
