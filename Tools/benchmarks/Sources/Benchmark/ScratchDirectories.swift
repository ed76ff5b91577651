import Foundation

/// Where the databases of a comparison stand: one filled directory a peer and size, and copies of
/// it for operations that change it.
struct ScratchDirectories {
    private let root: String

    /// A folder of its own in `parent`, or in the system's temporary folder.
    init(_ parent: String?) throws {
        let parent = parent ?? NSTemporaryDirectory()
        root = parent + "/daybook-benchmarks-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true)
    }

    /// The directory that an operation runs in, in the state that it needs.
    func prepare(_ operation: Operation, _ peer: PeerName, _ n: Int) throws -> String {
        let isRelated = operation.base == .emptyRelated || operation.base == .filledRelated
        let filled = root + "/\(peer.rawValue)-\(n)\(isRelated ? "-related" : "")"
        let manager = FileManager.default
        switch operation.base {
        case .filled, .filledRelated: return filled
        case .copy where !peer.isProbe:
            let copy = filled + "-copy"
            try? manager.removeItem(atPath: copy)
            try ChildProcess.run("/bin/cp", ["-a", filled, copy])
            return copy
        case .empty where manager.fileExists(atPath: filled),
            .emptyRelated where manager.fileExists(atPath: filled), .copy:
            let fresh = filled + "-copy"
            try? manager.removeItem(atPath: fresh)
            try manager.createDirectory(atPath: fresh, withIntermediateDirectories: true)
            return fresh
        case .empty, .emptyRelated:
            try manager.createDirectory(atPath: filled, withIntermediateDirectories: true)
            return filled
        }
    }

    /// Lets go of what an operation changed.
    func release(_ operation: Operation, _ peer: PeerName, _ n: Int) {
        guard operation.base != .filled, operation.base != .filledRelated else { return }
        for name in ["\(peer.rawValue)-\(n)-copy", "\(peer.rawValue)-\(n)-related-copy"] {
            try? FileManager.default.removeItem(atPath: root + "/" + name)
        }
    }

    func removeAll() { try? FileManager.default.removeItem(atPath: root) }
}
