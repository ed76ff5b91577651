import DaybookBytes

/// The stored texts of a variable field of all records of a group.
struct PackedTexts {
    let storage: UInt8
    /// The texts, one after another.
    private let bytes: ByteWriter
    private let starts: [Int]
    let lengths: [Int64]

    /// Stores texts as codes of the table if that takes fewer bytes, and plain otherwise.
    init(
        _ payload: Span<UInt8>, starts: [UInt32], lengths: [Int64], _ encoder: TokenEncoder?
    ) {
        let plainCount = lengths.reduce(0) { $0 + Int($1) }
        if let encoder {
            var coded = ByteWriter(capacity: plainCount + 16)
            var codedStarts: [Int] = []
            for (index, start) in starts.enumerated() {
                codedStarts.append(coded.count)
                encoder.encode(
                    payload.extracting(Int(start)..<(Int(start) + Int(lengths[index]))),
                    to: &coded)
            }
            if coded.count < plainCount {
                storage = PackedFormat.tokenTexts
                bytes = coded
                self.starts = codedStarts
                let ends = codedStarts.dropFirst() + [coded.count]
                self.lengths = zip(codedStarts, ends).map { Int64($1 - $0) }
                return
            }
        }
        var plain = ByteWriter(capacity: plainCount)
        var plainStarts: [Int] = []
        for (index, start) in starts.enumerated() {
            plainStarts.append(plain.count)
            plain.append(payload.extracting(Int(start)..<(Int(start) + Int(lengths[index]))))
        }
        storage = PackedFormat.plainTexts
        bytes = plain
        self.starts = plainStarts
        self.lengths = lengths
    }

    /// Appends the text of one record.
    func append(_ index: Int, to texts: inout ByteWriter) {
        let start = starts[index]
        texts.append(bytes.span.extracting(start..<(start + Int(lengths[index]))))
    }
}
