package import DaybookBytes

/// Finds the segments of a damaged log.
///
/// A manifest that is intact names them, even if `CURRENT` is damaged. Without one, the names and
/// headers of the segment files are used. Nothing is changed.
package struct LogSalvage {
    package let store: StoreIdentity
    /// The manifest; nil if none is intact.
    package let manifest: Manifest?
    /// The segments, oldest first.
    package private(set) var segments: [SalvagedSegment] = []
    /// The damage of `CURRENT` and of manifests, and files that were not used.
    package private(set) var notes: [String] = []
    /// The highest sequence that was durable according to the manifest.
    package let durableClaim: UInt64

    /// - Parameter knownStores: identities of the store from other files, which are needed if no
    ///   manifest and no header of a segment is intact.
    ///
    /// Throws `.fileNotFound`, `.notAStore` for a directory without segments, `.corruption` if the
    /// identity of the store is lost, and `.formatTooNew`.
    package init(
        _ path: String, _ fileSystem: any FileSystem, knownStores: [StoreIdentity] = []
    ) throws(DaybookError) {
        let names = try Self.names(in: path, fileSystem)
        var notes: [String] = []
        let manifest = try Self.manifest(path, fileSystem, names, &notes)
        self.manifest = manifest
        durableClaim = max(
            manifest?.durableSequence ?? 0, manifest?.cleanClose?.sequence ?? 0)
        let plans: [SalvagedSegment.Plan]
        let created: UInt64
        if let manifest {
            store = manifest.store
            created = manifest.createdMicroseconds
            plans = Self.plans(of: manifest)
        } else {
            let files = try SegmentFiles(path, fileSystem, names)
            guard !files.files.isEmpty else { throw Self.hasNoSegments(path) }
            guard let found = files.commonStore ?? knownStores.first else {
                throw Self.isUnidentified(path)
            }
            store = found
            created = files.createdMicroseconds(of: found)
            plans = files.plans(of: found, &notes)
            notes.append("the list of segments was rebuilt from their names and headers")
        }
        for plan in plans {
            segments.append(
                try SalvagedSegment(
                    plan, store: store, createdMicroseconds: created, in: path, fileSystem))
        }
        self.notes = notes
    }

    private static func names(
        in path: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) -> [String] {
        guard try fileSystem.kind(of: path) == .directory else {
            throw DaybookError(
                .fileNotFound, "There is no store at \(path). Check the path.",
                details: ["path": path])
        }
        return try fileSystem.list(path)
    }

    /// The manifest in force; if `CURRENT` or that manifest is damaged, the newest intact manifest
    /// whose files exist.
    private static func manifest(
        _ path: String, _ fileSystem: any FileSystem, _ names: [String], _ notes: inout [String]
    ) throws(DaybookError) -> Manifest? {
        let manifestFile = ManifestFile(fileSystem: fileSystem, directory: path)
        do throws(DaybookError) {
            if let found = try manifestFile.load(checksCopies: true) {
                notes += found.damage.map { "\($0.file): \($0.message)" }
                return found.manifest
            }
            notes.append("CURRENT is missing")
        } catch  where error.code == .corruption || error.code == .inputOutput {
            notes.append(error.message)
        }
        let files = Set(names)
        let store = try SegmentFiles(path, fileSystem, names).commonStore
        let found = manifestFile.intactManifests(names).filter { $0.store == store ?? $0.store }
        return found.first { manifest in
            manifest.sealed.map(\.fileName.text).allSatisfy(files.contains)
                && files.contains(manifest.activeFileName.text)
        } ?? found.first
    }

    private static func plans(of manifest: Manifest) -> [SalvagedSegment.Plan] {
        var plans = manifest.sealed.map { entry in
            SalvagedSegment.Plan(
                number: entry.number, firstSequence: entry.firstSequence,
                lastSequence: entry.lastSequence, length: entry.length)
        }
        plans.append(
            SalvagedSegment.Plan(
                number: manifest.activeNumber, firstSequence: manifest.activeFirstSequence,
                length: manifest.isBackup ? manifest.cleanClose?.length : nil, isLast: true,
                copy: manifest.tailCopy))
        return plans
    }

    private static func hasNoSegments(_ path: String) -> DaybookError {
        DaybookError(
            .notAStore,
            "\(path) contains neither a manifest nor a segment of a store. Check the path.",
            details: ["path": path])
    }

    private static func isUnidentified(_ path: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The manifest and the headers of all segments in \(path) are damaged, so the identity"
                + " of the store is lost, and no frame can be checked. Restore a backup.",
            details: ["path": path])
    }
}
