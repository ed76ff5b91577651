import DaybookBytes

extension Segment {
    /// The dictionary of the segment. The first use reads and checks it; all threads share it until
    /// the file is closed.
    ///
    /// Memory: two to four times its length, which is at most 64 KiB for the compressor and some
    /// 300 KiB for a table of tokens, as the writer makes them. Packed frames in the cache retain
    /// the table, which is not part of the cache's budget. Throws `.corruption`,
    /// with segment and offset, if the segment has no dictionary or a damaged one.
    func dictionary(_ codec: PayloadCodec) throws(DaybookError) -> SegmentDictionary {
        if let known = slot.withLock({ $0.knownDictionary }) { return known }
        let dictionary = try readDictionary(codec)
        return slot.withLock { slot in
            if let known = slot.knownDictionary { return known }
            // Closing the file also releases the dictionary, so only an open file has one.
            if slot.file != nil { slot.dictionary = dictionary }
            if case .tokens(let table) = dictionary { slot.tokens = table }
            return dictionary
        }
    }

    private func readDictionary(_ codec: PayloadCodec) throws(DaybookError) -> SegmentDictionary {
        let offset = LogFormat.SegmentHeader.length
        let (header, bytes) = try checkedFrame(at: offset)
        // A dictionary that needs itself would have no end.
        guard header.kind == FrameKind.dictionary, header.dictionary == 0 else {
            throw .corruption(
                segment: number, offset: offset, "a frame needs a dictionary, and there is none")
        }
        let start = LogFormat.trailerLength + LogFormat.FrameHeader.length
        let stored = bytes.span.extracting(start..<(start + header.storedLength))
        do throws(DaybookError) {
            return try codec.dictionary(stored, header)
        } catch {
            throw damagedDictionary(error.message)
        }
    }

    private func damagedDictionary(_ why: String) -> DaybookError {
        .corruption(
            segment: number, offset: LogFormat.SegmentHeader.length,
            "its dictionary is damaged (\(why))")
    }
}

extension Segment.Slot {
    /// The dictionary in memory.
    fileprivate var knownDictionary: SegmentDictionary? { dictionary ?? tokens.map { .tokens($0) } }
}

extension PayloadCodec {
    /// Decodes the payload of a dictionary's frame. Throws `.corruption`.
    func dictionary(
        _ stored: Span<UInt8>, _ header: FrameHeader
    ) throws(DaybookError) -> SegmentDictionary {
        guard header.rawLength <= LogFormat.Dictionary.lengthMax else {
            throw DaybookError(.corruption, "it is \(header.rawLength) bytes long")
        }
        return try SegmentDictionary(bytes: try inflate(stored, header))
    }
}
