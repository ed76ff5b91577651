/// The end of the work of a writer.
extension ProtocolModel {
    /// Whether a writer learns the fate of its pending frames once there are no more faults.
    ///
    /// Without this check, a writer that does nothing would be correct.
    func finishes(_ index: Int, in state: ProtocolState) -> Bool {
        // The bounds of such a stream end the work of a writer.
        guard compares else { return true }
        var state = state
        // Each message of the stream costs an answer and a read.
        for _ in 0..<(3 * options.lengthMax) {
            guard !state.writers[index].pending.isEmpty else { return true }
            step(index, in: &state)
        }
        return false
    }

    /// The next step of a writer with a good network and current reads.
    private func step(_ index: Int, in state: inout ProtocolState) {
        let writer = state.writers[index]
        guard writer.answer == .awaited else {
            if writer.known < state.last {
                read(index, in: &state)
            } else {
                repeatFrames(of: index, in: &state)
            }
            return
        }
        let frame = writer.pending[0]
        let stored = options.deduplicates ? state.stream.firstIndex(of: frame) : nil
        if let stored {
            answer(index, sequence: UInt8(stored + 1), count: 1, in: &state)
            return
        }
        let place = state.requests.firstIndex { $0.frames[0] == frame }
        guard let place, state.requests[place].expectedLast == state.last,
            writer.known == state.last
        else {
            // The first request was refused, or the network lost it.
            state.writers[index].answer = .missing
            return
        }
        let count = state.requests[place].frames.count
        deliver(place, in: &state)
        answer(index, sequence: state.last, count: count, in: &state)
    }
}
