import Daybook
import Foundation
import Hummingbird

/// The parameters of a request's query, with errors that name the parameter.
struct RequestParameters {
    private let values: [String: String]

    /// Throws a ``RequestProblem`` for a value that is not UTF-8.
    init(_ request: Request) throws {
        var values: [String: String] = [:]
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts[1]) else {
                throw RequestProblem.malformed("The parameter '\(parts[0])' is not valid UTF-8.")
            }
            values[name] = value
        }
        self.values = values
    }

    /// Decodes a name or value of the URL standard's `application/x-www-form-urlencoded`, which the
    /// page's `URLSearchParams` write: a plus sign is a space.
    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }

    /// A parameter that may be missing or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    func text(_ name: String) throws -> String {
        guard let value = self[name] else {
            throw RequestProblem.malformed("The request has no parameter '\(name)'.")
        }
        return value
    }

    /// A number that may be missing, such as a sequence.
    func number(_ name: String) throws -> UInt64? {
        guard let text = self[name] else { return nil }
        guard let number = UInt64(text) else {
            throw RequestProblem.malformed("The parameter '\(name)' must be a number.")
        }
        return number
    }

    func id() throws -> UInt64 { try BrowsedStore.id(try text("id")) }

    /// The most elements of an answer.
    func limit(_ usual: Int, max: Int) throws -> Int {
        min(max, Swift.max(1, Int(clamping: try number("limit") ?? UInt64(usual))))
    }

    /// The moment of `sequence` or `microseconds`.
    func moment() throws -> HistoryMoment {
        if let sequence = try number("sequence") { return .sequence(sequence) }
        guard let microseconds = Int64(try text("microseconds")) else {
            throw RequestProblem.malformed("The parameter 'microseconds' must be a number.")
        }
        return .date(Date(timeIntervalSince1970: Double(microseconds) / 1_000_000))
    }
}
