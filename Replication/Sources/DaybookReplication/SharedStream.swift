public import Daybook
public import DaybookNATS

/// A stream with the logs of many stores, for example one for each customer. Each log is a subject.
///
/// A stream costs each of its servers some 200 KB of memory, two files and a little processor time,
/// whatever it contains; a subject costs 1 to 2 KB of memory. So 100,000 small stores share a few
/// streams. The logs are independent: each has its own writer, terms, followers and archive.
public struct SharedStream: Sendable {
    /// The client of the servers.
    public var jetStream: JetStream
    /// The name of the stream: one token.
    public let name: String

    /// Names the stream.
    public init(_ jetStream: JetStream, name: String) {
        self.jetStream = jetStream
        self.name = name
    }

    /// Creates the stream, if it does not exist, as ``ReplicatedLog/create(replicaCount:)``.
    public func create(replicaCount: Int = 3) async throws {
        var configuration = StreamConfiguration(name: name, subjects: ["daybook.\(name).*"])
        configuration.replicaCount = replicaCount
        try await jetStream.createStream(configuration)
    }

    /// The log with a name of 1 to 255 letters A to Z and a to z, digits, `-` and `_`. Sends
    /// nothing. Throws `.invalidArgument` for another name.
    public func log(_ name: String) throws(DaybookError) -> ReplicatedLog {
        guard (1...Self.nameLengthMax).contains(name.utf8.count),
            name.utf8.allSatisfy(Self.isInNames)
        else {
            throw DaybookError(
                .invalidArgument,
                "The name '\(name.prefix(300))' of a log is not valid. Use 1 to"
                    + " \(Self.nameLengthMax) letters A to Z and a to z, digits, - and _.",
                details: ["stream": self.name])
        }
        return ReplicatedLog(jetStream, stream: self.name, name: name)
    }

    private static let nameLengthMax = 255

    private static func isInNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
