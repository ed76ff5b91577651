import Daybook
import HTTPTypes
import Hummingbird

/// A request that the server cannot answer, with the reason for the user.
struct RequestProblem: Error {
    let status: HTTPResponse.Status
    let problem: Problem

    /// A request for something that the store does not have.
    static func notFound(_ message: String) -> RequestProblem {
        RequestProblem(
            status: .notFound, problem: Problem(code: "notFound", message: message, offset: nil))
    }

    /// A malformed request.
    static func malformed(_ message: String) -> RequestProblem {
        RequestProblem(
            status: .badRequest,
            problem: Problem(code: "malformedRequest", message: message, offset: nil))
    }

    /// A request without a valid session, from another origin, or for a change that the command did
    /// not allow.
    static func refused(_ status: HTTPResponse.Status, _ message: String) -> RequestProblem {
        RequestProblem(
            status: status, problem: Problem(code: "refused", message: message, offset: nil))
    }

    init(status: HTTPResponse.Status, problem: Problem) {
        self.status = status
        self.problem = problem
    }

    /// The answer for an error of any kind.
    init(_ error: any Error) {
        switch error {
        case let error as RequestProblem: self = error
        case let error as DaybookError: self.init(error)
        case is CancellationError:
            self = .refused(.serviceUnavailable, "The server is ending.")
        case let error as HTTPError:
            self = .init(
                status: error.status,
                problem: Problem(
                    code: "malformedRequest", message: error.body ?? "\(error.status)",
                    offset: nil))
        default:
            self.init(
                status: .internalServerError,
                problem: Problem(
                    code: "internalError", message: "The server could not answer: \(error)",
                    offset: nil))
        }
    }

    private init(_ error: DaybookError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .invalidArgument, .invalidValue: .badRequest
            case .notFound, .entityNotRegistered: .notFound
            case .historyTruncated: .gone
            case .conflict, .uniqueViolation, .relationDenied, .idExists, .readOnly: .conflict
            default: .internalServerError
            }
        self.init(
            status: status,
            problem: Problem(
                code: "\(error.code)", message: error.message,
                offset: error.details["offset"].flatMap { Int($0) }))
    }
}
