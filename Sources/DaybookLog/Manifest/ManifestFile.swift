import DaybookBytes

/// The manifest on disk, and CURRENT, which names it. Both contain their content twice.
struct ManifestFile: Sendable {
    let fileSystem: any FileSystem
    let directory: String

    /// The manifest in force.
    struct Found: Sendable {
        var manifest: Manifest
        /// The damage of CURRENT and of the manifest's file.
        var damage: [ToleratedDamage] = []
    }

    /// Loads the manifest that CURRENT names. Without CURRENT, loads the newest one if it proves to
    /// be in force; see ``newest(_:)``. Returns nil if there is neither.
    ///
    /// A concurrent writer may replace both at any time and remove the old manifest. CURRENT is
    /// then read again. With `checksCopies`, both copies of each file are read and compared.
    /// Throws `.corruption` and `.inputOutput` if no copy is intact.
    func load(checksCopies: Bool = false) throws(DaybookError) -> Found? {
        var current = try CurrentFile(in: directory, fileSystem)
        while true {
            var failure: DaybookError?
            do throws(DaybookError) {
                let found = try load(current, checksCopies)
                if found?.damage.isEmpty ?? true { return found }
                if try !hasChanged(&current) { return found }
            } catch  where error.code == .corruption || error.code == .inputOutput {
                failure = error
            }
            if let failure, try !hasChanged(&current) { throw failure }
        }
    }

    /// Reads CURRENT again. If it has not changed, neither has the manifest that it names.
    private func hasChanged(_ current: inout CurrentFile) throws(DaybookError) -> Bool {
        let read = current
        current = try CurrentFile(in: directory, fileSystem)
        return current != read
    }

    private func load(
        _ current: CurrentFile, _ checksCopies: Bool
    ) throws(DaybookError) -> Found? {
        guard !current.lines.isEmpty else {
            let found = try newest(current)
            guard found != nil || current.isMissing else {
                throw damagedCurrent("it does not name a manifest")
            }
            return found
        }
        var failure: DaybookError?
        for line in current.lines {
            do throws(DaybookError) {
                return try load(line, checksCopies)
            } catch  where error.code == .corruption || error.code == .inputOutput {
                failure = failure ?? error
            }
        }
        throw failure ?? damagedCurrent("it does not name a manifest")
    }

    private func load(
        _ line: CurrentFile.Line, _ checksCopies: Bool
    ) throws(DaybookError) -> Found {
        let name = line.manifest
        let read: (manifest: Manifest, content: [UInt8])
        do throws(DaybookError) {
            read = try self.read(name, hash: line.hash)
        } catch  where error.code == .fileNotFound {
            throw damagedCurrent("it names \(name), which is not there")
        }
        let manifest = read.manifest
        guard StoreFileName(name) == .manifest(generation: manifest.generation) else {
            throw damagedCurrent("it names \(name), which is generation \(manifest.generation)")
        }
        var found = Found(manifest: manifest)
        guard checksCopies else { return found }
        for (file, content) in [(StoreFileName.current.text, line.bytes), (name, read.content)] {
            let mirrored = MirroredFile(fileSystem: fileSystem, path: directory + "/" + file)
            guard !mirrored.contains(content) else { continue }
            found.damage.append(
                ToleratedDamage(
                    file: file, message: "One of its two copies is damaged; the other is intact."))
        }
        return found
    }

    /// Reads the first intact copy of a manifest with that hash; nil accepts any hash.
    private func read(
        _ name: String, hash: UInt64?
    ) throws(DaybookError) -> (manifest: Manifest, content: [UInt8]) {
        let file = MirroredFile(fileSystem: fileSystem, path: directory + "/" + name)
        let copies = try file.read { copy in
            Manifest.content(of: copy.span).map { hash == nil || XXH64.hash($0.span) == hash }
                ?? false
        }
        var damage = copies.failure
        for case let copy? in copies.copies {
            guard let content = Manifest.content(of: copy.span) else { continue }
            guard hash == nil || XXH64.hash(content.span) == hash else {
                damage = DaybookError(
                    .corruption,
                    "\(name) is not the manifest that CURRENT names: its hash differs. Rebuild the"
                        + " store from its segments with 'daybook repair DIR --into NEW'.",
                    details: ["file": name])
                continue
            }
            return (try Manifest.decode(content.span, file: name), content)
        }
        throw damage ?? Manifest.damaged(name)
    }

    /// The manifest of a file, if it is intact by its own check and named after its generation. It
    /// need not have been in force.
    func intact(_ name: String) -> Manifest? {
        guard let manifest = try? read(name, hash: nil).manifest,
            StoreFileName(name) == .manifest(generation: manifest.generation)
        else { return nil }
        return manifest
    }

    /// The manifests that are intact by their own checks, newest first. Not all of them were in
    /// force.
    func intactManifests(_ names: [String]) -> [Manifest] {
        names.filter { StoreFileName($0)?.manifestGeneration != nil }.compactMap(intact)
            .sorted { $0.generation > $1.generation }
    }

    /// Commits `manifest`: afterwards it is durable and named, or nothing changed. The swap of
    /// CURRENT is the commit point of every roll, seal, compaction and clean close.
    ///
    /// IMPORTANT: the directory is synced after the manifest has its name and before CURRENT is
    /// swapped. That sync makes the new file names in this manifest durable. `check` receives the
    /// bytes of the manifest's file in between, and may throw. If this throws, the old manifest
    /// stays in force; with `.durabilityUnknown` only the last sync failed, and either manifest may
    /// survive a power failure.
    func commit(
        _ manifest: Manifest, _ check: ([UInt8]) throws(DaybookError) -> Void = { _ in }
    ) throws(DaybookError) {
        let name = StoreFileName.manifest(generation: manifest.generation).text
        let content = manifest.encoded().bytes
        try check(try write(content, name))
        try CurrentFile.replace(
            by: CurrentFile.Line(name, content), in: directory, fileSystem)
    }

    /// Writes a manifest that CURRENT does not name, and makes its name durable.
    func writeUnnamed(_ manifest: Manifest) throws(DaybookError) {
        let name = StoreFileName.manifest(generation: manifest.generation).text
        _ = try write(manifest.encoded().bytes, name)
    }

    private func write(_ content: [UInt8], _ name: String) throws(DaybookError) -> [UInt8] {
        let bytes = MirroredFile.bytes(of: content)
        try fileSystem.replaceAtomically(bytes, named: name, in: directory)
        return bytes
    }

    private func damagedCurrent(_ why: String) -> DaybookError {
        DaybookError(
            .corruption,
            "CURRENT in \(directory) is damaged: \(why). Rebuild the store from its segments with"
                + " 'daybook repair DIR --into NEW'.",
            details: ["file": "CURRENT", "path": directory])
    }
}
