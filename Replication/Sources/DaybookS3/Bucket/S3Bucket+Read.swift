internal import Daybook

extension S3Bucket {
    /// Reads an object or a part of it; nil if there is no such object. A range beyond the end
    /// returns the bytes that exist, which may be none.
    ///
    /// Throws `.invalidValue` if the object is longer than ``S3Options/answerSizeBytesMax`` and
    /// there is no range, or if the service sends more than the range, and `.storageUnavailable`
    /// for an answer that may be incomplete. One request.
    public func read(_ key: String, _ range: Range<Int>?) async throws -> [UInt8]? {
        var request = S3Request(.get, "read", key: try wholeKey(key))
        request.answerSizeBytesMax = sender.options.answerSizeBytesMax
        if let range {
            guard range.lowerBound >= 0 else {
                throw DaybookError(
                    .invalidArgument,
                    "The range \(range) begins below zero. Use one from zero on.")
            }
            // HTTP has no empty ranges, so one byte shows whether the object exists.
            let last = max(range.lowerBound, range.upperBound - 1)
            request.headers = [HeaderField("range", "bytes=\(range.lowerBound)-\(last)")]
            request.partialAnswerSizeBytesMax = max(1, range.count)
        }
        let answer = try await sender.send(request)
        if let failure = answer.failure {
            if failure.code == "NoSuchKey" { return nil }
            if range != nil && failure.status == 416 { return [] }
            throw DaybookError.storage(failure, request, location)
        }
        guard answer.status == 200 || range != nil && answer.status == 206 else {
            throw DaybookError.malformedAnswer(TransportProblem.otherStatus, request, location)
        }
        guard let range else { return answer.body }
        if range.isEmpty { return [] }
        // A service may ignore the range of a short object.
        guard answer.status == 206 else {
            return Array(answer.body.dropFirst(range.lowerBound).prefix(range.count))
        }
        guard Self.hasRange(answer, range) else {
            throw DaybookError.malformedAnswer(TransportProblem.otherRange, request, location)
        }
        return answer.body
    }

    /// Returns whether an object exists. One request.
    func exists(_ key: String) async throws -> Bool { try await read(key, 0..<1) != nil }

    /// Returns whether a partial answer has the requested bytes. Without a header, it must have all
    /// of them.
    private static func hasRange(_ answer: S3Answer, _ range: Range<Int>) -> Bool {
        guard let header = answer.headers.first(name: "content-range") else {
            return answer.body.count == range.count
        }
        let numbers = header.drop { $0 != " " }.dropFirst()
            .split { $0 == "-" || $0 == "/" }.map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1] else {
            return false
        }
        guard first == range.lowerBound, last >= first, last < range.upperBound,
            answer.body.count - 1 == last - first
        else { return false }
        // The length of the object may be unknown.
        guard let sizeBytes = numbers[2] else { return true }
        return last == min(range.upperBound, sizeBytes) - 1
    }
}
