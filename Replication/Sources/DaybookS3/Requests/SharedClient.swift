internal import AsyncHTTPClient

/// The client of all buckets.
enum SharedClient {
    /// A client that lives as long as the process. It differs from `HTTPClient.shared`, which
    /// follows redirects and decompresses answers.
    static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        // A refused connection is a failed attempt, which the bucket tries again.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()
}
