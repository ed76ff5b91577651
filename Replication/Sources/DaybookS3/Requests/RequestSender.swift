internal import AsyncHTTPClient
internal import Daybook

/// Sends the requests of a bucket and tries them again.
struct RequestSender: Sendable {
    /// The location.
    let location: S3Location
    /// Returns the credentials of an attempt.
    let credentials: @Sendable () async throws -> S3Credentials
    /// The options, inside their ranges.
    let options: S3Options

    /// Returns the answer to a request, which may be a failure that another attempt would not
    /// change.
    ///
    /// Throws `.storageUnavailable` if all attempts fail, `.invalidValue` for an answer beyond its
    /// limit, `.permissionDenied` if there are no valid credentials, `.invalidArgument` for an
    /// address that is not valid, and `CancellationError`.
    func send(_ request: S3Request) async throws -> S3Answer {
        var delay = RetryDelay(options)
        var attempt = 0
        while true {
            try Task.checkCancellation()
            attempt += 1
            let cause: any Error
            var serverWait: Duration?
            do {
                let answer = try await exchangeInTime(request)
                guard let failure = answer.failure, failure.isTransient,
                    !(request.endsWithConflict && failure.isConflict)
                else { return answer }
                cause = DaybookError.storage(failure, request, location)
                serverWait = answer.retryAfter
            } catch let failure as TransportFailure {
                cause = failure.cause
            }
            guard attempt < options.attemptCountMax else {
                throw DaybookError.unavailable(request, location, attempt, cause)
            }
            try await Task.sleep(for: delay.take(serverWait: serverWait))
        }
    }

    /// Returns the answer to a request. Throws as ``send(_:)`` also for every other failure.
    func sendChecked(_ request: S3Request) async throws -> S3Answer {
        let answer = try await send(request)
        if let failure = answer.failure {
            throw DaybookError.storage(failure, request, location)
        }
        return answer
    }

    /// Returns the answer of one attempt. Throws a `TransportFailure` if it takes too long.
    private func exchangeInTime(_ request: S3Request) async throws -> S3Answer {
        let deadline = AttemptDeadline(options, sentBytes: request.body?.readableBytes ?? 0)
        return try await withThrowingTaskGroup(of: S3Answer?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(request, deadline) }
            group.addTask {
                try await deadline.wait()
                return nil
            }
            guard let first = try await group.next(), let answer = first else {
                throw TransportFailure(cause: TransportProblem.timeout)
            }
            return answer
        }
    }
}
