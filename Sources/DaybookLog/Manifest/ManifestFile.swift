import DaybookBytes

/// The manifest on disk, and CURRENT, which names it.
///
/// CURRENT is one line: `daybook <manifest's name> <XXH64 of the manifest, 16 hex digits>\n`. The
/// hash is stored outside the file that it covers, so a swapped manifest is detected.
struct ManifestFile: Sendable {
    let fileSystem: any FileSystem
    let directory: String

    /// Loads the manifest that CURRENT names; nil without CURRENT.
    ///
    /// A concurrent writer may replace both at any time and remove the old manifest. CURRENT is
    /// then read again.
    func load() throws(DaybookError) -> Manifest? {
        var line = try readCurrent()
        while let read = line {
            do throws(DaybookError) {
                return try load(named: read)
            } catch  where error.code == .corruption {
                line = try readCurrent()
                guard line != read else { throw error }
            }
        }
        return nil
    }

    private func readCurrent() throws(DaybookError) -> [UInt8]? {
        do throws(DaybookError) {
            return try fileSystem.readAll(path(.current))
        } catch  where error.code == .fileNotFound {
            return nil
        }
    }

    private func load(named line: [UInt8]) throws(DaybookError) -> Manifest {
        guard let (name, hash) = Self.parse(line) else {
            throw damagedCurrent("it does not name a manifest")
        }
        let bytes: [UInt8]
        do throws(DaybookError) {
            bytes = try fileSystem.readAll(directory + "/" + name)
        } catch  where error.code == .fileNotFound {
            throw damagedCurrent("it names \(name), which is not there")
        }
        guard XXH64.hash(bytes.span) == hash else {
            throw DaybookError(
                .corruption,
                "\(name) is not the manifest that CURRENT names: its hash differs. Rebuild the"
                    + " store from its segments with 'daybook repair DIR --into NEW'.",
                details: ["file": name])
        }
        let manifest = try Manifest.decode(bytes.span, file: name)
        guard StoreFileName(name) == .manifest(generation: manifest.generation) else {
            throw damagedCurrent("it names \(name), which is generation \(manifest.generation)")
        }
        return manifest
    }

    /// The manifests that are intact by their own checks, newest first. Not all of them were in
    /// force.
    func intactManifests(_ names: [String]) -> [Manifest] {
        var found: [Manifest] = []
        for name in names {
            guard let generation = StoreFileName(name)?.manifestGeneration,
                let bytes = try? fileSystem.readAll(directory + "/" + name),
                let manifest = try? Manifest.decode(bytes.span, file: name),
                manifest.generation == generation
            else { continue }
            found.append(manifest)
        }
        return found.sorted { $0.generation > $1.generation }
    }

    /// Commits `manifest`: afterwards it is durable and named, or nothing changed. The swap of
    /// CURRENT is the commit point of every roll, seal, compaction and clean close.
    ///
    /// IMPORTANT: the directory is synced after the manifest has its name and before CURRENT is
    /// swapped. That sync makes the new file names in this manifest durable. `check` receives the
    /// manifest's bytes in between, and may throw. If this throws, the old manifest stays in force;
    /// with `.durabilityUnknown` only the last sync failed, and either manifest may survive a power
    /// failure.
    func commit(
        _ manifest: Manifest, _ check: ([UInt8]) throws(DaybookError) -> Void = { _ in }
    ) throws(DaybookError) {
        let name = StoreFileName.manifest(generation: manifest.generation).text
        let bytes = manifest.encoded().bytes
        try fileSystem.replaceAtomically(bytes, named: name, in: directory)
        try check(bytes)
        try point(to: "daybook \(name) \(Self.hex(XXH64.hash(bytes.span)))\n")
    }

    /// Swaps CURRENT.
    private func point(to line: String) throws(DaybookError) {
        let name = StoreFileName.current.text
        let temporary = try fileSystem.write(Array(line.utf8), beside: name, in: directory)
        try fileSystem.put(temporary, inPlaceOf: name, in: directory)
        do throws(DaybookError) {
            try fileSystem.syncDirectory(directory)
        } catch {
            throw DaybookError(
                .durabilityUnknown,
                "CURRENT in \(directory) was replaced, but the sync of that directory failed: it is"
                    + " unknown which manifest survives a power failure. Close the store and open"
                    + " it again.",
                cause: error, details: ["file": name, "path": directory])
        }
    }

    private func path(_ name: StoreFileName) -> String { directory + "/" + name.text }

    private static func parse(_ line: [UInt8]) -> (name: String, hash: UInt64)? {
        guard let text = try? String(checkingUTF8: line.span), text.hasSuffix("\n") else {
            return nil
        }
        let parts = text.dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "daybook", parts[2].utf8.count == 16,
            case .manifest? = StoreFileName(String(parts[1])),
            let hash = UInt64(parts[2], radix: 16), hex(hash) == parts[2]
        else { return nil }
        return (String(parts[1]), hash)
    }

    private static func hex(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func damagedCurrent(_ why: String) -> DaybookError {
        DaybookError(
            .corruption,
            "CURRENT in \(directory) is damaged: \(why). Rebuild the store from its segments with"
                + " 'daybook repair DIR --into NEW'.",
            details: ["file": "CURRENT", "path": directory])
    }
}
