internal import DaybookBytes

/// Builds pages from the output of ``GroupEncoder``.
///
/// It validates everything that later accesses rely on: counts within the page, keys in order,
/// cells within their page, page numbers within the table. Free space is zeros.
enum GroupDecoder {
    /// Fills the pages of `storedMask` in order. Pages that are not in `liveMask` stay free.
    ///
    /// - Parameter page: returns the pages of a group, all zeros.
    static func decode(
        _ bytes: Span<UInt8>, storedMask: UInt16, liveMask: UInt16, page: (Int) -> Page
    ) throws(DaybookError) {
        var reader = ByteReader(bytes)
        for index in 0..<16 where storedMask & (1 << UInt16(index)) != 0 {
            let page = page(index)
            try decode(&reader, to: page)
            if liveMask & (1 << UInt16(index)) == 0 { page.reset(.free, level: 0, birth: 0) }
        }
        guard reader.isAtEnd else { throw damaged("\(reader.remaining) bytes are left over") }
    }

    private static func decode(_ reader: inout ByteReader, to page: Page) throws(DaybookError) {
        let kind = PageKind(rawValue: try reader.uint8())
        let level = Int(try reader.uint8())
        let count = try reader.length()
        guard level <= PageHeader.levelMax else { throw damaged("a page is at level \(level)") }
        switch kind {
        case .words:
            page.reset(.words, level: level, birth: 0)
            try decodeFixed(WordLayout.self, count, &reader, to: page)
        case .pairs:
            page.reset(.pairs, level: level, birth: 0)
            try decodeFixed(PairLayout.self, count, &reader, to: page)
        case .bytes:
            page.reset(.bytes, level: level, birth: 0)
            try decodeBytes(count, &reader, to: BytePage(page))
        case .overflow:
            page.reset(.overflow, level: 0, birth: 0)
            page.link = try pageNumber(try reader.varint(), orNone: true)
            guard level == 0, count > 0, count <= OverflowChain.pieceLengthMax else {
                throw damaged("an overflow page has \(count) bytes")
            }
            page.count = count
            try reader.take(count).withKeyBytes { bytes in
                page.write(bytes, at: PageHeader.length)
            }
        case .free, nil: throw damaged("a page has an unknown kind")
        }
    }

    private static func decodeFixed<Layout: FixedLayout>(
        _: Layout.Type, _ count: Int, _ reader: inout ByteReader, to page: Page
    ) throws(DaybookError) {
        let capacity = page.level == 0 ? Layout.leafCapacity : Layout.innerCapacity
        guard count > 0, count <= capacity else { throw damaged("a page has \(count) entries") }
        page.count = count
        let leaf = FixedLeaf<Layout>(page)
        guard page.level > 0 else {
            try Layout.decodeKeys(count, from: &reader) { index, key in leaf.setKey(key, at: index)
            }
            try Layout.decodeValues(count, from: &reader) { index, value in
                leaf.setValue(value, at: index)
            }
            return
        }
        let inner = FixedInner<Layout>(page)
        try Layout.decodeKeys(count, from: &reader) { index, key in
            page.store(key, at: FixedInner<Layout>.offset(index))
        }
        var previous: UInt64 = 0
        for index in 0..<count {
            previous &+= UInt64(bitPattern: try reader.zigzag())
            inner.setChild(try pageNumber(previous), at: index)
        }
        Layout.prepareGuess(inner)
    }

    private static func decodeBytes(
        _ count: Int, _ reader: inout ByteReader, to target: BytePage
    ) throws(DaybookError) {
        let prefixLength = try reader.length()
        guard target.begin(count: count, prefixLength: prefixLength) else {
            throw damaged("a page has \(count) keys after \(prefixLength) bytes")
        }
        try reader.take(prefixLength).withKeyBytes { bytes in
            target.page.write(bytes, at: Page.size - prefixLength)
        }
        if !target.isLeaf { target.page.link = try pageNumber(try reader.varint()) }
        try makeCells(count, &reader, in: target)
        for index in 0..<count {
            let rest = try reader.take(target.restLength(index))
            let isInOrder = rest.withKeyBytes { rest in target.complete(index, rest) }
            guard isInOrder else { throw damaged("keys are out of order") }
        }
        for index in 0..<count where target.isLong(index) {
            let first = try pageNumber(try reader.varint())
            let length = try reader.length()
            let suffixLength = min(
                min(length, BytePage.headLengthOfLongKeys) - prefixLength,
                BytePage.suffixLengthOfLongKeys)
            guard length > BytePage.keyLengthMax, length <= PageWriter.byteKeyLengthMax,
                target.suffixLength(index) == suffixLength
            else { throw damaged("a long key has \(length) bytes") }
            target.setChain(OverflowChain(first: first, keyLength: length), at: index)
        }
        var previous: UInt64 = 0
        for index in 0..<count {
            previous &+= UInt64(bitPattern: try reader.zigzag())
            if target.isLeaf {
                target.setValue(previous, at: index)
            } else {
                target.setChild(try pageNumber(previous), at: index + 1)
            }
        }
    }

    /// Reserves cells of the encoded lengths.
    private static func makeCells(
        _ count: Int, _ reader: inout ByteReader, in target: BytePage
    ) throws(DaybookError) {
        let prefixLength = target.prefixLength
        var previousLength = 0
        for index in 0..<count {
            let shared = try reader.length()
            let field = try reader.varint()
            guard shared <= previousLength, field >> 1 <= UInt64(Page.size) else {
                throw damaged("a key shares more bytes than the previous key has")
            }
            previousLength = shared + Int(field >> 1)
            let isLong = field & 1 != 0
            // The buffers for keys that move between pages have this capacity.
            guard isLong || prefixLength + previousLength <= BytePage.keyLengthMax else {
                throw damaged("a key of \(prefixLength + previousLength) bytes has no chain")
            }
            guard
                target.makeCell(
                    index, shared: shared, suffixLength: previousLength, isLong: isLong)
            else { throw damaged("the keys of a page do not fit in it") }
        }
    }

    // MARK: Checks

    /// The number `step` + 1 above another.
    @inline(__always)
    static func next(after previous: UInt64, by step: UInt64) throws(DaybookError) -> UInt64 {
        let (almost, overflow) = previous.addingReportingOverflow(step)
        guard !overflow, almost < .max else { throw damaged("keys exceed 64 bits") }
        return almost + 1
    }

    private static func pageNumber(
        _ number: UInt64, orNone: Bool = false
    ) throws(DaybookError) -> UInt32 {
        guard number < UInt64(PageTable.pageCountMax), number > 0 || orNone else {
            throw damaged("a page refers to page \(number)")
        }
        return UInt32(number)
    }

    @inline(never)
    static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "The group of pages is damaged: \(what).")
    }
}
