package import DaybookBytes

/// A pinned version that can be written to a file on any thread, while commits continue.
///
/// It retains the version until it is released.
package final class SnapshotCapture: Sendable {
    private let space: PageSpace
    private let pin: VersionPin
    let liveMasks: [UInt16]
    /// The snapshot that evicted pages are read from; nil without one.
    private let adopted: AdoptedSnapshot?
    /// The transaction that last allocated a page of each group.
    private let lastAllocations: [UInt64]

    init(
        _ space: PageSpace, _ version: PageVersion, liveMasks: [UInt16],
        lastAllocations: [UInt64], adopted: AdoptedSnapshot?
    ) {
        self.space = space
        pin = VersionPin(working: version, of: space)
        self.liveMasks = liveMasks
        self.lastAllocations = lastAllocations
        self.adopted = adopted
    }

    /// The captured version.
    package var version: PageVersion { pin.version }

    /// Writes the snapshot from the start of a file, which should be new, and truncates the file
    /// after it. Does not sync; the caller syncs and renames the file.
    ///
    /// Groups that changed since the adopted snapshot are encoded and compressed, about 0.2 ms
    /// each. The others stay in the files of the adopted snapshot, or are copied from them after
    /// their checksum was verified; see ``BaseSelection``. The cost is that of the changes, of the
    /// copied groups, and of a directory of some 14 bytes for each group.
    ///
    /// - Parameters:
    ///   - metadata: any bytes; returned when the snapshot is opened.
    ///   - level: the compression level, see ``Zstd``. Levels above 3 gain little.
    ///   - rules: the older files that the snapshot may use.
    ///   - isCancelled: called before each group that is written.
    /// - Throws: `.interrupted` if `isCancelled` returns true, `.corruption` if a copied group is
    ///   damaged or a read has found damage in another one, and errors of the file. The written
    ///   bytes are then useless.
    package func write(
        to file: any File, metadata: [UInt8], level: Int = 1,
        using rules: SnapshotBaseRules = .none, isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> SnapshotSummary {
        var output = SnapshotWriter(file)
        let headerChecksum = try output.writeHeader(version)
        var encoder = GroupEncoder()
        let changed = try writeChanged(to: &output, &encoder, level, isCancelled)

        let changedLength = output.offset
        // The directory takes up to 15 bytes for each group.
        let newLength = changedLength + metadata.count + 15 * liveMasks.count { $0 != 0 }
        var (directory, numbers) = selectBases(rules, newLength: newLength)
        let unreadable = adopted?.loader.unreadableGroups ?? []
        var next = 0
        for group in liveMasks.indices where liveMasks[group] != 0 {
            if next < changed.count, changed[next].group == group {
                directory.entries.append(changed[next])
                next += 1
                continue
            }
            guard var entry = unchangedEntry(group) else { throw Self.missing(group) }
            entry.liveMask = liveMasks[group]
            if let number = numbers[Int(entry.file)] {
                // Without the check, damage would remain in all later snapshots.
                if unreadable.contains(group) { try adopted?.loader.load(group)?.deallocate() }
                entry.file = number
            } else {
                try Self.check(isCancelled)
                entry = try copy(entry, to: &output, &encoder, level)
            }
            directory.entries.append(entry)
        }
        let copiedLength = output.offset - changedLength
        let length = try output.finish(
            directory, metadata: metadata, headerChecksum: headerChecksum)
        return SnapshotSummary(
            length: length, copiedLength: copiedLength, storedLength: directory.storedLength,
            baseCount: directory.bases.count, groups: directory.entries.count,
            rawBytes: directory.entries.reduce(0) { $0 + $1.rawLength })
    }

    // MARK: Groups

    /// The adopted snapshot's entry of a group, if the group has not changed since.
    private func unchangedEntry(_ group: Int) -> SnapshotDirectory.Entry? {
        guard let adopted, lastAllocations[group] <= adopted.sequence,
            let entry = adopted.loader.entry(of: group), liveMasks[group] & ~entry.liveMask == 0
        else { return nil }
        return entry
    }

    /// Writes the groups that the adopted snapshot does not contain, and returns their entries.
    private func writeChanged(
        to output: inout SnapshotWriter, _ encoder: inout GroupEncoder, _ level: Int,
        _ isCancelled: () -> Bool
    ) throws(DaybookError) -> [SnapshotDirectory.Entry] {
        var entries: [SnapshotDirectory.Entry] = []
        for group in liveMasks.indices
        where liveMasks[group] != 0 && unchangedEntry(group) == nil {
            try Self.check(isCancelled)
            guard let entry = try encode(group, to: &output, &encoder, level) else {
                throw Self.missing(group)
            }
            entries.append(entry)
        }
        return entries
    }

    /// Writes the live pages of a group; nil if the group is not in memory.
    private func encode(
        _ group: Int, to output: inout SnapshotWriter, _ encoder: inout GroupEncoder, _ level: Int
    ) throws(DaybookError) -> SnapshotDirectory.Entry? {
        let liveMask = liveMasks[group]
        encoder.removeAll()
        let isResident = pin.withReader { reader in
            guard let memory = reader.table.memory(of: group) else { return false }
            // Reads only live pages: the writer may change the others.
            for index in 0..<16 where liveMask & (1 << UInt16(index)) != 0 {
                encoder.append(memory.page(index))
            }
            return true
        }
        guard isResident else { return nil }
        let raw = encoder.writer.span
        let stored = try Zstd.compress(raw, level: level)
        return try output.append(
            stored,
            SnapshotDirectory.Entry(
                group: group, liveMask: liveMask, storedMask: liveMask, offset: 0,
                storedLength: stored.count, rawLength: raw.count,
                checksum: XXH64.hash(stored.span)))
    }

    /// Copies the stored bytes of a group that has not changed. If some of its pages are no longer
    /// in use and the group is in memory, writes the others only.
    private func copy(
        _ entry: SnapshotDirectory.Entry, to output: inout SnapshotWriter,
        _ encoder: inout GroupEncoder, _ level: Int
    ) throws(DaybookError) -> SnapshotDirectory.Entry {
        if entry.storedMask != entry.liveMask,
            let encoded = try encode(entry.group, to: &output, &encoder, level)
        {
            return encoded
        }
        guard let adopted else { throw Self.missing(entry.group) }
        return try output.append(try adopted.loader.storedBytes(entry), entry)
    }

    /// Returns a directory with the used files, and the number of each file of the adopted snapshot
    /// in it; nil for a file that is not used.
    private func selectBases(
        _ rules: SnapshotBaseRules, newLength: Int
    ) -> (SnapshotDirectory, numbers: [UInt8?]) {
        let files = adopted?.loader.files ?? []
        var liveLengths = Array(repeating: 0, count: files.count)
        for group in liveMasks.indices where liveMasks[group] != 0 {
            guard let entry = unchangedEntry(group) else { continue }
            liveLengths[Int(entry.file)] += entry.storedLength
        }
        let selection = BaseSelection(
            lengths: files.indices.map { index in
                liveLengths[index] > 0 && rules.isAvailable(files[index].base)
                    ? files[index].base.length : 0
            },
            liveLengths: liveLengths, newLength: newLength, minimum: max(rules.lengthMin, 1))
        var directory = SnapshotDirectory()
        let numbers = files.indices.map { index -> UInt8? in
            guard selection.isUsed[index] else { return nil }
            directory.bases.append(files[index].base)
            return UInt8(directory.bases.count)
        }
        return (directory, numbers)
    }

    private static func check(_ isCancelled: () -> Bool) throws(DaybookError) {
        if isCancelled() {
            throw DaybookError(.interrupted, "Writing the snapshot was interrupted.")
        }
    }

    private static func missing(_ group: Int) -> DaybookError {
        DamagedPages.missingPage(UInt32(group) << 4)
    }

    // MARK: Adoption

    /// A snapshot that was written and can be adopted.
    package struct Written {
        fileprivate let loader: GroupLoader
    }

    /// Opens the snapshot that ``write(to:metadata:level:using:isCancelled:)`` wrote. Cost: a read
    /// of its directory. The older files that it uses are open already.
    ///
    /// - Parameter name: the name by which later snapshots may use the file.
    /// - Throws: `.corruption` if the file does not contain the captured version, and errors of the
    ///   file.
    package func reopen(
        _ file: any File, named name: String = ""
    ) throws(DaybookError) -> Written {
        let reader = try SnapshotReader(file)
        guard reader.version == version,
            reader.directory.liveMasks[...] == Self.trimmed(liveMasks)
        else {
            throw DaybookError(
                .corruption, "The snapshot was replaced after it was written.",
                details: ["snapshot": "header"])
        }
        var files = [SnapshotFile(file: file, base: reader.base(named: name))]
        for base in reader.directory.bases {
            let known = adopted?.loader.files.first { $0.base == base }
            guard let known else { throw base.isMissing() }
            files.append(known)
        }
        return Written(
            loader: GroupLoader(
                files: files, directory: reader.directory,
                generation: (space.loader?.generation ?? 0) + 1,
                unreadable: adopted?.loader.unreadableGroups ?? []))
    }

    /// Makes a snapshot the one that the space reads its pages from, so that pages it contains can
    /// be evicted. For the writer's thread, before the next capture. The space retains the files,
    /// which may be renamed or removed.
    package func adopt(_ written: Written) {
        space.adopt(written.loader, at: version.sequence)
    }

    /// The masks up to the last one with a page, as the directory has them.
    private static func trimmed(_ masks: [UInt16]) -> ArraySlice<UInt16> {
        masks[..<((masks.lastIndex { $0 != 0 } ?? -1) + 1)]
    }
}

/// The snapshot that a space reads its pages from, and the last transaction that it contains.
struct AdoptedSnapshot: Sendable {
    let loader: GroupLoader
    let sequence: UInt64
}

extension PageSpace {
    /// Captures the writer's state between two transactions, to be written to a file later. Takes
    /// well under a microsecond, plus a copy of ten bytes per group at the next change.
    package func capture() -> SnapshotCapture {
        writer.withWriter { writer in
            precondition(!writer.isOpen, "capture inside of a transaction")
            precondition(sharedGroupCount == 0, "capture of a fork")
            var adopted: AdoptedSnapshot?
            if let loader = source.loader, let captured = writer.captured {
                adopted = AdoptedSnapshot(loader: loader, sequence: captured)
            }
            return SnapshotCapture(
                self, writer.version, liveMasks: writer.allocator.liveMasks,
                lastAllocations: writer.allocator.lastAllocations, adopted: adopted)
        }
    }
}
