import DaybookBytes

extension ManifestFile {
    /// The manifest in force if CURRENT is missing or has no intact copy; nil if that cannot be
    /// decided.
    ///
    /// A commit writes the manifest before it swaps CURRENT. So the newest manifest is in force, or
    /// the commit that wrote it was interrupted. In both cases its log contains all commits that
    /// returned: nothing is appended between the two steps, and an opening for writing removes
    /// manifests that CURRENT does not name. But an interrupted commit may lack files that its
    /// manifest names, and a lost manifest must not be mistaken for one that was never written. So
    /// the newest one counts only if its files are complete, and if no other segment of the
    /// directory is newer.
    func newest(_ current: CurrentFile) throws(DaybookError) -> Found? {
        let names = try fileSystem.list(directory)
        let manifests = names.filter { StoreFileName($0)?.manifestGeneration != nil }
        // The numbers are padded, so that the names have the order of the generations.
        guard let name = manifests.max(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }),
            let manifest = intact(name), try isComplete(manifest, names)
        else { return nil }
        let why = current.isMissing ? "It is missing" : "Both copies are damaged"
        return Found(
            manifest: manifest,
            damage: [
                ToleratedDamage(
                    file: StoreFileName.current.text,
                    message: "\(why); the newest manifest, \(name), names all segments.")
            ])
    }

    private func isComplete(
        _ manifest: Manifest, _ names: [String]
    ) throws(DaybookError) -> Bool {
        for entry in manifest.sealed {
            guard try size(of: entry.fileName) == entry.length else { return false }
        }
        let end = manifest.isBackup ? manifest.cleanClose?.length : nil
        guard let activeSize = try size(of: manifest.activeFileName),
            activeSize >= max(headerLength, end ?? 0)
        else { return false }
        for name in names {
            guard case .segment(_, let number)? = StoreFileName(name),
                number >= manifest.nextSegmentNumber
            else { continue }
            // An interrupted roll leaves a segment without frames.
            guard try size(of: StoreFileName(name)) ?? 0 <= headerLength else { return false }
        }
        return try manifest.sealed.last.map { entry throws(DaybookError) in
            try isSealed(entry, manifest.store)
        } ?? true
    }

    /// Whether the seal frame of a segment is at its place. A segment whose roll was interrupted
    /// may have frames there.
    private func isSealed(
        _ entry: SegmentEntry, _ store: StoreIdentity
    ) throws(DaybookError) -> Bool {
        let file = try fileSystem.open(directory + "/" + entry.fileName.text, .read)
        defer { file.close() }
        do throws(DaybookError) {
            let bytes = try file.read(LogFormat.FrameHeader.length, at: entry.sealOffset)
            let seed = store.seed(segment: entry.number)
            let header = try FrameHeader.decode(bytes.span, seed: seed)
            return header?.kind == FrameKind.seal && header?.lastSequence == entry.lastSequence
        } catch  where error.code == .inputOutput {
            return false
        }
    }

    private var headerLength: Int { LogFormat.SegmentHeader.length }

    private func size(of name: StoreFileName?) throws(DaybookError) -> Int? {
        guard let name else { return nil }
        do throws(DaybookError) {
            let file = try fileSystem.open(directory + "/" + name.text, .read)
            defer { file.close() }
            return try file.size()
        } catch  where error.code == .fileNotFound {
            return nil
        }
    }
}
