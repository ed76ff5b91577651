import DaybookBytes

extension Segment {
    /// The damage of the header when the file was opened.
    var toleratedDamage: ToleratedDamage? {
        guard headerDamage != nil else { return nil }
        return ToleratedDamage(
            file: StoreFileName.segment(firstSequence: firstSequence, number: number).text,
            message: "Its header is damaged; all bytes of it follow from the manifest.")
    }

    /// Writes the header again, at its place and with the same bytes, and syncs the file.
    ///
    /// A failed write is ignored: the damage is known at the next opening, too. Throws the errors
    /// of the sync.
    func rewriteHeader(in file: any File) throws(DaybookError) {
        do throws(DaybookError) {
            let bytes = headerBytes
            try file.write(bytes.span, at: 0)
        } catch {
            return
        }
        try file.sync()
    }

    /// Whether the segment has a damaged header that is written again. If any frame before `end`,
    /// the end of the frames, is damaged, too, the file is left unchanged for a repair: a read that
    /// meets the damage reports that nothing was changed.
    ///
    /// Reads all frames if the header is damaged.
    func hasRepairableHeader(framesEnd end: Int) -> Bool {
        guard headerDamage != nil else { return false }
        var scanner = SegmentScanner(self, from: start, limit: end)
        while (try? scanner.next()) != nil {}
        return scanner.offset == end
    }

    /// Writes a damaged header of a sealed segment again. A failure is ignored.
    func repairHeader(framesEnd end: Int) {
        guard hasRepairableHeader(framesEnd: end),
            let file = try? fileSystem.open(path, .readWrite)
        else { return }
        defer { file.close() }
        try? rewriteHeader(in: file)
    }
}

extension Log {
    /// The damage of the headers of sealed segments. A writer writes them again, unless a frame
    /// is damaged, too.
    func repairHeaders() -> [ToleratedDamage] {
        manifest.sealed.compactMap { entry in
            guard let segment = segment(entry.number), let damage = segment.toleratedDamage else {
                return nil
            }
            if !isReadOnly { segment.repairHeader(framesEnd: entry.length) }
            return damage
        }
    }
}
