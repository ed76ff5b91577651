import DaybookBytes

extension CrashStates {
    /// The index of the last pending write, if there is one.
    var lastWriteIndices: [Int] {
        let last = pending.lastIndex { if case .write = $0 { true } else { false } }
        return last.map { [$0] } ?? []
    }

    /// The indices of the pending operations that truncate a file.
    var truncationIndices: [Int] {
        var volume = durable
        var cuts: [Int] = []
        for step in steps {
            if let index = step.pendingIndex, case .resize(let file, let size) = step.operation,
                size < volume.nodes[file].content.size
            {
                cuts.append(index)
            }
            volume.apply(step.operation)
        }
        return cuts
    }

    /// For each file with pending changes, the possible sizes after a crash: the durable size, and
    /// each later size.
    var possibleSizes: [Int: [Int]] {
        var certain = durable
        for step in steps where step.pendingIndex == nil { certain.apply(step.operation) }
        var sizes: [Int: [Int]] = [:]
        var volume = durable
        for step in steps {
            let sizeBefore = step.operation.changedFile.map { volume.nodes[$0].content.size } ?? 0
            volume.apply(step.operation)
            guard let file = step.operation.changedFile else { continue }
            let size = volume.nodes[file].content.size
            // A durable step excludes all earlier sizes. A truncation does too: an earlier size
            // would show zeros that the file never had. Another plan undoes the whole truncation.
            if step.pendingIndex == nil || sizes[file] == nil {
                sizes[file] = [certain.nodes[file].content.size]
            }
            if size < sizeBefore { sizes[file] = [] }
            if step.pendingIndex != nil { sizes[file]?.append(size) }
        }
        return sizes
    }
}

extension SeededGenerator {
    /// A number in `0..<bound`; nearly uniform for small bounds.
    mutating func next(upTo bound: Int) -> Int { Int(next() >> 33) % bound }
}
