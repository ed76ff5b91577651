import DaybookBytes
import DaybookPages

/// Snapshots in memory that use pages of each other.
final class SnapshotFolder {
    private(set) var files: [String: CountingFile] = [:]
    /// The names of the snapshots, oldest first.
    private(set) var names: [String] = []
    private(set) var writtenBytes = 0

    /// Writes a snapshot that uses older files, and adopts it.
    @discardableResult
    func save(_ space: PageSpace, lengthMin: Int = 1) throws -> SnapshotSummary {
        let capture = space.capture()
        let (file, name) = (CountingFile(), "snapshot \(names.count)")
        let rules = SnapshotBaseRules(lengthMin: lengthMin) { base in
            (try? self.files[base.name].map(base.matches)) ?? false
        }
        let summary = try capture.write(to: file, metadata: [], using: rules)
        capture.adopt(try capture.reopen(file, named: name))
        files[name] = file
        names.append(name)
        writtenBytes += summary.length
        return summary
    }

    func contents(_ name: String) throws -> SnapshotContents {
        try SnapshotContents(of: files[name] ?? CountingFile())
    }

    /// Opens the newest snapshot.
    func open(checkStructure: Bool = false) throws -> PageSpace {
        let name = names.last ?? ""
        let open = try PageSpace.open(
            snapshot: files[name] ?? CountingFile(), named: name, checkStructure: checkStructure
        ) { base throws(DaybookError) in
            guard let file = self.files[base.name] else { throw base.isMissing() }
            return file
        }
        return open.space
    }

    /// Removes all files that the newest snapshot does not use.
    func prune() throws {
        guard let last = names.last else { return }
        let needed = Set(try contents(last).bases.map(\.name) + [last])
        files = files.filter { needed.contains($0.key) }
    }

    func replace(_ name: String, with bytes: [UInt8]?) {
        files[name] = bytes.map { CountingFile($0) }
    }

    var length: Int { files.values.reduce(0) { $0 + $1.bytes.count } }
}
