import DaybookBytes

extension ColumnEncoder {
    /// Encodes a column of byte strings in `payload`.
    mutating func encode(variable payload: Span<UInt8>, starts: [UInt32], lengths: [Int64]) {
        let distinct = DistinctTexts.find(in: payload, starts: starts, lengths: lengths)
        if let (firsts, indexes) = distinct {
            heads.uint8(TranspositionFormat.variableDictionary)
            heads.varint(UInt64(firsts.count))
            encode(firsts.map { lengths[$0] })
            append(payload, firsts.map { starts[$0] }, firsts.map { lengths[$0] })
            encode(indexes)
        } else {
            heads.uint8(TranspositionFormat.variablePlain)
            encode(lengths)
            append(payload, starts, lengths)
        }
    }

    private mutating func append(_ payload: Span<UInt8>, _ starts: [UInt32], _ lengths: [Int64]) {
        for (index, start) in starts.enumerated() {
            texts.append(payload.extracting(Int(start)..<(Int(start) + Int(lengths[index]))))
        }
    }
}
