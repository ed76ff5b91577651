public import Daybook
public import Foundation

/// A bucket, or a part of it, parsed from `s3://bucket/prefix?endpoint=URL&region=NAME`.
public struct S3Location: Sendable, Hashable {
    /// The name of the bucket.
    public let bucket: String
    /// The begin of all keys, without slashes at its ends; empty for the whole bucket.
    public let prefix: String
    /// The region that signatures name.
    public let region: String
    /// The service.
    public let endpoint: S3Endpoint
    /// Where requests name the bucket. The default is `virtualHost` for Amazon unless the name of
    /// the bucket has a dot, which its certificate would not match, and `path` otherwise.
    public var addressing: S3Addressing

    /// Parses a location.
    ///
    /// The prefix is taken as it is, without percent-decoding; repeated slashes count as one. The
    /// values of `endpoint` and `region` may be percent-encoded. The default of `region` is the
    /// variable `AWS_REGION`, then `AWS_DEFAULT_REGION`, then `us-east-1`; the default of
    /// `endpoint` is `AWS_ENDPOINT_URL_S3`, then `AWS_ENDPOINT_URL`, then Amazon in the region.
    ///
    /// Throws `.invalidArgument` for another scheme, an unknown item after the question mark, and
    /// an invalid bucket, prefix, region or endpoint.
    public init(
        _ text: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DaybookError) {
        guard text.hasPrefix("s3://") else {
            throw Self.invalid("does not begin with s3://", text)
        }
        let parts = text.dropFirst(5).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: true)
        guard let name = path.first, !parts[0].hasPrefix("/") else {
            throw Self.invalid("has no bucket", text)
        }
        if name.utf8.contains(where: { $0 == 0x40 || $0 == 0x3A }) {
            // The message has no name, because it may be a secret.
            throw DaybookError(
                .invalidArgument,
                "The location of the storage contains a user before its bucket. Use"
                    + " s3://bucket/prefix, and set the credentials separately.")
        }
        let items = try Self.items(parts.count > 1 ? parts[1] : "")
        try BucketName.check(String(name))
        bucket = String(name)
        prefix = path.dropFirst().joined(separator: "/")
        if !prefix.isEmpty { try ObjectKey.check(prefix) }
        region =
            items["region"] ?? Self.value(["AWS_REGION", "AWS_DEFAULT_REGION"], environment)
            ?? "us-east-1"
        guard Self.isRegion(region) else {
            throw DaybookError(
                .invalidArgument,
                "The region of the storage has an invalid name. Use one such as eu-central-1.")
        }
        let address =
            items["endpoint"]
            ?? Self.value(["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"], environment)
        endpoint =
            try address.map { (text) throws(DaybookError) in try S3Endpoint(text) }
            ?? S3Endpoint(region: region)
        addressing = endpoint.isAmazon && !bucket.contains(".") ? .virtualHost : .path
    }

    /// Returns the items after the question mark. Throws `.invalidArgument` for an unknown,
    /// repeated, empty or malformed one.
    private static func items(_ text: Substring) throws(DaybookError) -> [String: String] {
        var items: [String: String] = [:]
        for item in text.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0])
            guard ["endpoint", "region"].contains(name), items[name] == nil, pair.count == 2,
                let value = String(pair[1]).removingPercentEncoding, !value.isEmpty
            else {
                throw DaybookError(
                    .invalidArgument,
                    "The location of the storage has an unknown, repeated or empty item \(name)."
                        + " Use ?endpoint=URL&region=NAME only.", details: ["item": name])
            }
            items[name] = value
        }
        return items
    }

    /// Returns the first value that is not empty.
    private static func value(_ names: [String], _ environment: [String: String]) -> String? {
        for name in names {
            if let value = environment[name], !value.isEmpty { return value }
        }
        return nil
    }

    /// Returns whether a text can be the name of a region.
    private static func isRegion(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
        }
        return isPlain && (1...64).contains(text.utf8.count)
    }

    private static func invalid(_ problem: String, _ text: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The location\(shown(text)) \(problem). Use s3://bucket/prefix.")
    }

    /// Returns a space and the text in quotes up to the question mark, for messages; nothing if the
    /// text has an at sign, because a user and a password may be before it.
    static func shown(_ text: String) -> String {
        if text.utf8.contains(0x40) { return "" }
        return " \"\(String(decoding: text.utf8.prefix { $0 != 0x3F }, as: UTF8.self))\""
    }
}

extension S3Location: CustomStringConvertible {
    /// The bucket and the prefix, such as `s3://backups/notes`.
    public var description: String { "s3://\(bucket)" + (prefix.isEmpty ? "" : "/\(prefix)") }
}
