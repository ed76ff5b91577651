/// Where a request names its bucket.
public enum S3Addressing: Sendable, Hashable {
    /// In the path, as in `http://127.0.0.1:9000/bucket/key`. All compatible servers accept it.
    case path
    /// In the host, as in `https://bucket.s3.eu-central-1.amazonaws.com/key`.
    case virtualHost
}
