import DaybookBytes
import DaybookEngine
import DaybookLog

/// The files of a store's directory with their sizes, and the snapshots among them.
struct DirectoryListing {
    let path: String
    let fileSystem: any FileSystem
    let manifest: Manifest

    init(_ log: Log) {
        path = log.directory
        fileSystem = log.fileSystem
        manifest = log.manifest
    }

    init(path: String, _ fileSystem: any FileSystem, _ manifest: Manifest) {
        self.path = path
        self.fileSystem = fileSystem
        self.manifest = manifest
    }

    func fill(_ statistics: inout StoreStatistics) throws(DaybookError) {
        var bytes = StoreStatistics.FileBytes()
        var snapshots: [String] = []
        for name in try fileSystem.list(path) {
            guard let kind = StoreFileName(name), kind != .quarantine,
                let length = try length(of: path + "/" + name)
            else { continue }
            switch kind {
            case .segment: bytes.segments += length
            case .manifest: bytes.manifests += length
            case .snapshot(let sequence, _):
                snapshots.append(name)
                bytes.snapshots += length
                statistics.snapshots.append(
                    StoreStatistics.SnapshotLine(sequence: sequence, lengthBytes: length))
            case .lock, .current, .temporary, .quarantine, .replica: bytes.other += length
            }
        }
        statistics.quarantine = try quarantine()
        bytes.quarantine = statistics.quarantine.reduce(0) { $0 + $1.lengthBytes }
        statistics.fileBytes = bytes
        let bases = try SnapshotStore(fileSystem: fileSystem, directory: path).baseNames()
        let rejections = try rejectedSnapshots()
        for (index, name) in snapshots.enumerated() {
            statistics.snapshots[index].isBase = bases.contains(name)
            if !bases.contains(name) { statistics.snapshots[index].rejection = rejections[name] }
        }
    }

    /// The files that recovery moved to quarantine.
    func quarantine() throws(DaybookError) -> [StoreStatistics.FileLine] {
        let folder = path + "/" + StoreFileName.quarantine.text
        guard try fileSystem.kind(of: folder) == .directory else { return [] }
        var lines: [StoreStatistics.FileLine] = []
        for name in try fileSystem.list(folder) {
            guard let length = try length(of: folder + "/" + name) else { continue }
            lines.append(StoreStatistics.FileLine(name: name, lengthBytes: length))
        }
        return lines
    }

    /// Files of the store that the manifest does not name: leftovers of a crash, or files that a
    /// writer is creating.
    func unnamedFiles() throws(DaybookError) -> [String] {
        let live = manifest.segmentNumbers
        return try fileSystem.list(path).filter { name in
            switch StoreFileName(name) {
            case .segment(_, let number)?: !live.contains(number)
            case .manifest(let generation)?: generation != manifest.generation
            case .temporary?: true
            default: false
            }
        }
    }

    /// The reasons why snapshots are unusable, by file name.
    private func rejectedSnapshots() throws(DaybookError) -> [String: String] {
        let snapshotStore = SnapshotStore(fileSystem: fileSystem, directory: path)
        var search = try SnapshotSearch(snapshotStore, for: manifest)
        while try search.next() != nil {}
        var reasons: [String: String] = [:]
        for line in search.rejected {
            let parts = line.split(separator: ":", maxSplits: 1)
            reasons[String(parts[0])] = parts.last.map { String($0.drop { $0 == " " }) }
        }
        return reasons
    }

    /// The size of a file; nil if it is no file, or was removed after it was listed.
    private func length(of file: String) throws(DaybookError) -> Int? {
        guard try fileSystem.kind(of: file) == .file else { return nil }
        do throws(DaybookError) {
            let opened = try fileSystem.open(file, .read)
            defer { opened.close() }
            return try opened.size()
        } catch  where error.code == .fileNotFound {
            return nil
        }
    }
}
