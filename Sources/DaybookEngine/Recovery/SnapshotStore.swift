package import DaybookBytes
import DaybookRecords
import DaybookLog
package import DaybookPages

/// The snapshot files of a store.
///
/// A snapshot uses pages of older files, its *bases*. A base is a snapshot file, too, but remains
/// after its own snapshot is no longer needed.
package struct SnapshotStore {
    /// A snapshot that could be opened.
    package struct Candidate {
        /// The name of its file.
        var name: String
        package var space: PageSpace
        var stamp: UInt64
        package var metadata: SnapshotMetadata
        /// The older files that it uses.
        var bases: [SnapshotBase]
        /// The length of all groups of pages.
        var indexBytes: Int
    }

    /// The number of snapshots that are kept.
    static let keptCount = 2

    let fileSystem: any FileSystem
    let directory: String

    package init(fileSystem: any FileSystem, directory: String) {
        self.fileSystem = fileSystem
        self.directory = directory
    }

    // MARK: Writing

    /// Writes a snapshot and returns the name of its file. It is complete and durable before it
    /// gets its name; after an error, no part of it remains.
    func write(
        _ capture: SnapshotCapture, _ metadata: SnapshotMetadata, baseLengthMin: Int,
        isCancelled: () -> Bool
    ) throws(DaybookError) -> (name: String, SnapshotSummary) {
        let name = try newName(metadata.position.sequence)
        let temporary = directory + "/" + StoreFileName.temporary(of: name).text
        let rules = SnapshotBaseRules(lengthMin: baseLengthMin) { base in isAvailable(base) }
        let summary: SnapshotSummary
        do throws(DaybookError) {
            summary = try fill(temporary, capture, metadata, rules, isCancelled)
            try fileSystem.rename(temporary, to: directory + "/" + name)
        } catch {
            // The next attempt has another name, so partial files would accumulate on a full disk.
            try? fileSystem.remove(temporary)
            throw error
        }
        try fileSystem.syncDirectory(directory)
        return (name, summary)
    }

    /// A name that no file has. A snapshot never replaces another one, which may be a base.
    private func newName(_ sequence: UInt64) throws(DaybookError) -> String {
        var numbers: Set<UInt64> = [0]
        for name in try names() {
            if case .snapshot(sequence, let number)? = StoreFileName(name) {
                numbers.insert(number)
            }
        }
        var number = numbers.max() ?? 0
        repeat { number &+= 1 } while numbers.contains(number)
        return StoreFileName.snapshot(sequence: sequence, number: number).text
    }

    private func fill(
        _ path: String, _ capture: SnapshotCapture, _ metadata: SnapshotMetadata,
        _ rules: SnapshotBaseRules, _ isCancelled: () -> Bool
    ) throws(DaybookError) -> SnapshotSummary {
        let file = try fileSystem.open(path, .replace)
        defer { file.close() }
        let summary = try capture.write(
            to: file, metadata: metadata.encoded(), using: rules, isCancelled: isCancelled)
        try file.sync()
        return summary
    }

    /// Opens a snapshot that was just written, so that its trees can read their pages from it.
    func reopen(
        _ capture: SnapshotCapture, _ name: String
    ) throws(DaybookError) -> SnapshotCapture.Written {
        try capture.reopen(try fileSystem.open(directory + "/" + name, .read), named: name)
    }

    // MARK: Reading

    /// The names of all snapshot files, oldest first.
    package func names() throws(DaybookError) -> [String] {
        var found: [(name: String, sequence: UInt64, number: UInt64)] = []
        for name in try fileSystem.list(directory) {
            guard case .snapshot(let sequence, let number)? = StoreFileName(name) else { continue }
            found.append((name, sequence, number))
        }
        return found.sorted { ($0.sequence, $0.number) < ($1.sequence, $1.number) }.map(\.name)
    }

    /// Opens a snapshot. Cost: a read of its directory and its metadata, and of the trailers of its
    /// bases.
    ///
    /// Throws `.fileNotFound` if a writer has removed the snapshot, and `.corruption` if a base is
    /// missing.
    package func open(_ name: String) throws(DaybookError) -> Candidate {
        let file = try fileSystem.open(directory + "/" + name, .read)
        let (space, contents) = try PageSpace.open(snapshot: file, named: name) {
            base throws(DaybookError) in try open(base, of: name)
        }
        return Candidate(
            name: name, space: space, stamp: contents.version.sequence,
            metadata: try SnapshotMetadata(decoding: contents.metadata.span),
            bases: contents.bases, indexBytes: contents.storedLength)
    }

    private func open(
        _ base: SnapshotBase, of name: String
    ) throws(DaybookError) -> any File {
        // A forged name might lead out of the directory.
        guard case .snapshot? = StoreFileName(base.name) else { throw base.isMissing() }
        do throws(DaybookError) {
            return try fileSystem.open(directory + "/" + base.name, .read)
        } catch  where error.code == .fileNotFound {
            // A writer removes a snapshot before its bases.
            guard try fileSystem.kind(of: directory + "/" + name) != nil else { throw error }
            throw base.isMissing(error)
        }
    }

    /// Whether a base still has its name.
    func isAvailable(_ base: SnapshotBase) -> Bool {
        guard case .snapshot? = StoreFileName(base.name),
            let file = try? fileSystem.open(directory + "/" + base.name, .read)
        else { return false }
        defer { file.close() }
        return (try? base.matches(file)) ?? false
    }

    /// Reads the directory of a snapshot without its bases.
    private func contents(_ name: String) throws(DaybookError) -> SnapshotContents {
        let file = try fileSystem.open(directory + "/" + name, .read)
        defer { file.close() }
        return try SnapshotContents(of: file)
    }

    /// The names of the files that are not among the newest snapshots but contain pages of other
    /// snapshots.
    package func baseNames() throws(DaybookError) -> Set<String> {
        let all = try names()
        var found: Set<String> = []
        for name in all {
            // The bases of an unreadable snapshot are unknown.
            guard let contents = try? contents(name) else { continue }
            found.formUnion(contents.bases.map(\.name))
        }
        return found.intersection(all.dropLast(Self.keptCount))
    }

    /// Verifies all pages in a base, also pages of removed snapshots.
    package func checkBase(_ name: String) throws(DaybookError) {
        let file = try fileSystem.open(directory + "/" + name, .read)
        defer { file.close() }
        try SnapshotContents.checkGroups(of: file, named: name)
    }

    // MARK: Removal

    /// Removes the snapshots that are not needed: all except `name`, newer ones, the newest
    /// `olderCount` usable older ones, and the bases of these.
    ///
    /// Throws, and removes nothing, if the bases of `name` cannot be read.
    func prune(
        keeping name: String, olderCount: Int, for manifest: Manifest
    ) throws(DaybookError) {
        let all = try names()
        guard let index = all.firstIndex(of: name) else { return }
        var needed = Set(try contents(name).bases.map(\.name) + all[index...])
        for newer in all[(index + 1)...] {
            // An unreadable snapshot is unusable.
            if let contents = try? contents(newer) { needed.formUnion(contents.bases.map(\.name)) }
        }
        var rest = olderCount
        for older in all[..<index].reversed() where rest > 0 {
            guard let bases = try bases(of: older, fitting: manifest) else { continue }
            needed.formUnion(bases.map(\.name))
            needed.insert(older)
            rest -= 1
        }
        // Newest first, so a snapshot is removed before its bases.
        for name in all.reversed() where !needed.contains(name) {
            try fileSystem.remove(directory + "/" + name)
        }
    }

    /// The bases of a snapshot; nil if the snapshot is unusable.
    private func bases(
        of name: String, fitting manifest: Manifest
    ) throws(DaybookError) -> [SnapshotBase]? {
        do throws(DaybookError) {
            let contents = try contents(name)
            let metadata = try SnapshotMetadata(decoding: contents.metadata.span)
            guard metadata.fits(manifest), contents.bases.allSatisfy(isAvailable) else {
                return nil
            }
            return contents.bases
        } catch  where error.isDamage || error.code == .formatTooNew {
            return nil
        }
    }

    /// Removes a snapshot.
    func remove(_ name: String) throws(DaybookError) {
        try fileSystem.remove(directory + "/" + name)
    }
}
