package import DaybookBytes

extension Log {
    /// Seals the active segment and starts a new one.
    ///
    /// Order: seal frame → truncate → sync (1) → new file with its header, synced (2) → manifest
    /// (3), which makes the new file's name durable before CURRENT names it. A crash before 3
    /// leaves the old segment active with a seal frame at its end. Recovery removes that frame,
    /// because it may not be synced, and repeats the roll. The new file is then an orphan.
    func roll(_ tail: inout Tail) throws(DaybookError) {
        guard let durability else { throw Self.readOnly }
        if tail.sealed == nil { tail.sealed = try seal(&tail, durability) }
        guard let entry = tail.sealed else { return }
        let fresh = try makeActiveSegment(after: tail.lastSequence)
        let segment = fresh.segment
        let file = try segment.file
        do throws(DaybookError) {
            try commitManifest { manifest in
                manifest.sealed.append(entry)
                manifest.activeNumber = segment.number
                manifest.activeFirstSequence = segment.firstSequence
            }
        } catch {
            if durability.failure == nil { try? fileSystem.remove(segment.path) }
            throw error
        }
        // IMPORTANT: the manifest names the new segment, so from here on nothing may fail.
        addReserved(segment)
        durability.rolled(to: file, durable: tail.lastSequence)
        tail.segment.allowClosing(files)
        tail = fresh
    }

    /// Creates a new segment that no manifest names yet. Each attempt uses a new number.
    private func makeActiveSegment(after sequence: UInt64) throws(DaybookError) -> Tail {
        var next = manifest
        next.activeNumber = try reserveSegmentNumbers(1).lowerBound
        next.activeFirstSequence = sequence + 1
        do throws(DaybookError) {
            try SegmentFile.create(next, in: directory, fileSystem).close()
            return Tail(
                startOf: try Segment.open(next.activeHeader, in: directory, fileSystem, .readWrite))
        } catch {
            try? fileSystem.remove(directory + "/" + next.activeFileName.text)
            throw error
        }
    }

    /// Completes and syncs the active segment; it is never written again.
    private func seal(
        _ tail: inout Tail, _ durability: GroupCommit
    ) throws(DaybookError) -> SegmentEntry {
        try tail.completeFromFile()
        let sparseIndex = tail.sparseIndex.encoded()
        let header = FrameHeader(
            kind: FrameKind.seal, codec: .raw, storedLength: sparseIndex.count,
            rawLength: sparseIndex.count,
            recordCount: 0, firstSequence: tail.lastSequence, lastSequence: tail.lastSequence,
            durableSequence: durability.durableSequence, timeMicroseconds: 0, endsTransaction: true)
        var encoder = FrameEncoder(seed: tail.segment.seed, check: tail.check)
        tail.buffer.removeAll()
        encoder.append(sparseIndex.span, header, to: &tail.buffer)
        let end = tail.offset + tail.buffer.count
        do throws(DaybookError) {
            try tail.segment.file.write(tail.buffer.span, at: tail.offset)
            try tail.segment.file.resize(to: end)
        } catch {
            forgetUnfinishedWrite(&tail, durability)
            throw error
        }
        try durability.sync(tail.segment.file)
        var hash = tail.hash
        hash?.update(tail.buffer.span)
        return SegmentEntry(
            number: tail.segment.number, firstSequence: tail.segment.firstSequence,
            lastSequence: tail.lastSequence, length: end, hash: hash?.digest() ?? 0,
            sealOffset: tail.offset, rawBytes: tail.rawBytes, recordCount: tail.recordCount,
            isBlocked: false)
    }

    /// Seals the active segment if it is not empty. Compaction works on sealed segments only.
    package func sealActiveSegment() throws(DaybookError) {
        try tail.withLock { tail throws(DaybookError) in
            guard tail.offset > LogFormat.SegmentHeader.length || tail.sealed != nil else { return }
            try roll(&tail)
        }
    }

    /// Syncs the log and closes it cleanly: truncates the file to its end and records the end in
    /// the manifest. Later openings verify that end.
    package func close() throws(DaybookError) {
        guard let durability else { return }
        defer { lock?.release() }
        try durability.wait(for: lastSequence)
        try tail.withLock { tail throws(DaybookError) in
            let position = tail.position
            let mark = Manifest.CleanClose(
                sequence: position.sequence, length: position.offset, check: position.check)
            // A sealed tail without its manifest: the next opening repeats the roll.
            guard tail.sealed == nil else { return }
            guard manifest.cleanClose != mark || tail.allocated != position.offset else { return }
            try tail.segment.file.resize(to: position.offset)
            tail.allocated = position.offset
            try tail.segment.file.sync()
            try commitManifest { $0.cleanClose = mark }
        }
    }

    /// Releases the lock without a clean close, as a failed store must.
    package func abandon() { lock?.release() }
}

extension Tail {
    /// The tail of a new segment.
    init(startOf segment: Segment) {
        var hash = XXH64()
        let header = segment.headerBytes
        hash.update(header.span)
        let start = segment.start
        self.init(
            segment: segment, offset: start.offset, check: start.check,
            lastSequence: start.sequence, allocated: start.offset, hash: hash,
            sparseIndexStart: start)
    }

    /// Reads the frames that recovery skipped, so that hash, sparse index and counts cover the
    /// whole segment.
    mutating func completeFromFile() throws(DaybookError) {
        guard !isComplete else { return }
        var fresh = Tail(startOf: segment)
        var scanner = SegmentScanner(segment, from: segment.start, limit: offset)
        while let frame = try scanner.next() {
            fresh.hash?.update(frame.bytes.span)
            fresh.sparseIndex.note(frame)
            fresh.rawBytes += frame.header.rawLength
            fresh.recordCount += Int(frame.header.recordCount)
        }
        guard scanner.offset == offset else {
            throw .corruption(
                segment: segment.number, offset: scanner.offset, "a frame fails its check")
        }
        hash = fresh.hash
        sparseIndex = fresh.sparseIndex
        sparseIndexStart = fresh.sparseIndexStart
        rawBytes = fresh.rawBytes
        recordCount = fresh.recordCount
    }
}
