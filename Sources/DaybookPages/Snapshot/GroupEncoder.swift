internal import DaybookBytes

/// Encodes the content of pages for a snapshot.
///
/// Free space and births are omitted. Keys and values become columns of differences, so dense ids
/// with rising values take a few bytes before compression and about one byte after it. The encoding
/// is deterministic: equal trees in equal pages give equal bytes.
///
///     page: 1 kind · 1 level · count, then
///       words, pairs  keys · values or children
///       bytes      prefix · link if inner · lengths shared and not · rests · chains · payloads
///       overflow   link · bytes
struct GroupEncoder {
    private(set) var writer = ByteWriter(capacity: 1 << 16)

    mutating func removeAll() { writer.removeAll() }

    mutating func append(_ page: Page) {
        writer.uint8(page.kind)
        writer.uint8(UInt8(truncatingIfNeeded: page.level))
        writer.varint(UInt64(page.count))
        switch PageKind(rawValue: page.kind) {
        case .words: appendFixed(WordLayout.self, page)
        case .pairs: appendFixed(PairLayout.self, page)
        case .bytes: append(BytePage(page))
        case .overflow:
            writer.varint(UInt64(page.link))
            append(page.bytes(at: PageHeader.length, count: page.count))
        case .free, nil: preconditionFailure("a page in use has no kind")
        }
    }

    private mutating func appendFixed<Layout: FixedLayout>(_: Layout.Type, _ page: Page) {
        if page.level == 0 {
            let leaf = FixedLeaf<Layout>(page)
            Layout.encodeKeys(leaf.count, to: &writer) { index in leaf.key(index) }
            Layout.encodeValues(leaf.count, to: &writer) { index in leaf.value(index) }
        } else {
            let inner = FixedInner<Layout>(page)
            Layout.encodeKeys(inner.count, to: &writer) { index in inner.key(index) }
            appendDifferences(inner.count) { index in UInt64(inner.child(index)) }
        }
    }

    private mutating func append(_ page: BytePage) {
        let prefix = page.prefix
        writer.varint(UInt64(prefix.count))
        append(prefix)
        if !page.isLeaf { writer.varint(UInt64(page.child(0))) }
        // The bytes that a key shares with the previous key are stored once.
        for index in 0..<page.count {
            let shared = sharedLength(page, index)
            writer.varint(UInt64(shared))
            writer.varint(
                UInt64(page.suffixLength(index) - shared) << 1 | (page.isLong(index) ? 1 : 0))
        }
        for index in 0..<page.count {
            append(page.suffix(index).rest(from: sharedLength(page, index)))
        }
        for index in 0..<page.count where page.isLong(index) {
            let chain = page.chain(index)
            writer.varint(UInt64(chain.first))
            writer.varint(UInt64(chain.keyLength))
        }
        if page.isLeaf {
            appendDifferences(page.count) { index in page.value(index) }
        } else {
            appendDifferences(page.count) { index in UInt64(page.child(index + 1)) }
        }
    }

    private func sharedLength(_ page: BytePage, _ index: Int) -> Int {
        index == 0 ? 0 : page.suffix(index).commonLength(with: page.suffix(index - 1))
    }

    private mutating func appendDifferences(_ count: Int, _ value: (Int) -> UInt64) {
        var previous: UInt64 = 0
        for index in 0..<count {
            let value = value(index)
            writer.zigzag(Int64(bitPattern: value &- previous))
            previous = value
        }
    }

    private mutating func append(_ bytes: KeyBytes) {
        bytes.append(to: &writer)
    }
}
