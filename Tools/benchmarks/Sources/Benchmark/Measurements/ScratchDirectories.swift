import Foundation

/// The directories of a comparison: one filled directory per peer and size, and copies of it for
/// operations that change it.
struct ScratchDirectories {
    private let root: String

    /// Creates a new folder in `parent`, or in the system's temporary directory.
    init(_ parent: String?) throws {
        let parent = parent ?? NSTemporaryDirectory()
        root = parent + "/daybook-benchmarks-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true)
    }

    /// Returns the directory for an operation, in the state that the operation needs.
    func prepare(_ operation: Operation, _ peer: PeerName, _ n: Int) throws -> String {
        let base = operation.base
        let filled = root + "/\(peer.rawValue)-\(n)\(base.suffix)"
        let manager = FileManager.default
        if base.isFilled { return filled }
        if base == .copy, !peer.isProbe {
            let copy = filled + "-copy"
            try? manager.removeItem(atPath: copy)
            try ChildProcess.run("/bin/cp", ["-a", filled, copy])
            return copy
        }
        let isAnother = base == .copy || manager.fileExists(atPath: filled)
        let fresh = isAnother ? filled + "-copy" : filled
        if isAnother { try? manager.removeItem(atPath: fresh) }
        try manager.createDirectory(atPath: fresh, withIntermediateDirectories: true)
        return fresh
    }

    /// Removes a directory that an operation changed.
    func release(_ operation: Operation, _ peer: PeerName, _ n: Int) {
        guard !operation.base.isFilled else { return }
        let copy = root + "/\(peer.rawValue)-\(n)\(operation.base.suffix)-copy"
        try? FileManager.default.removeItem(atPath: copy)
    }

    func removeAll() { try? FileManager.default.removeItem(atPath: root) }
}
