extension S3Location {
    /// The host of requests, with the port unless it is that of the scheme.
    var hostHeader: String {
        switch addressing {
        case .path: endpoint.authority
        case .virtualHost: "\(bucket).\(endpoint.authority)"
        }
    }

    /// Returns the encoded path of a whole key, or of the bucket.
    func path(_ key: String?) -> String {
        let begin = addressing == .path ? "/\(bucket)" : ""
        guard let key else { return begin.isEmpty ? "/" : begin }
        return "\(begin)/\(URIEncoding.encode(key, keepsSlashes: true))"
    }

    /// The begin of all whole keys: the prefix and a slash, or nothing.
    var keyBegin: String { prefix.isEmpty ? "" : "\(prefix)/" }
}
