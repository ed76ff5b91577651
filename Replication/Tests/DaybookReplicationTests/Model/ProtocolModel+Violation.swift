/// The properties of the log.
extension ProtocolModel {
    /// A property that does not hold in a state after another one.
    ///
    /// A commit that failed must stay outside the log forever. Its fate is part of each later
    /// state, so the check of one state is enough.
    func violation(in state: ProtocolState, after previous: ProtocolState) -> ProtocolViolation? {
        let chain = chain(of: state.stream, through: state.last)
        if state.stream != previous.stream {
            let earlier = self.chain(of: previous.stream, through: previous.last)
            guard chain.frames.starts(with: earlier.frames) else { return .readersDisagree }
            if let violation = violation(in: chain) { return violation }
        }
        if let violation = violation(in: state, values: chain.values) { return violation }
        for index in 0..<Self.writerCount where !finishes(index, in: state) {
            return .writerNeverFinishes
        }
        return nil
    }

    /// Compares the frames with each other, independently of the rule that accepted them.
    private func violation(in chain: ModelChain) -> ProtocolViolation? {
        var term: UInt8 = 0
        var writer: UInt8 = 0
        for identity in chain.frames {
            let frame = table[identity]
            if frame.content == .claim {
                guard frame.term == term + 1 else { return .termsDoNotAscend }
                term = frame.term
                writer = frame.writer
            } else if frame.term != term || frame.writer != writer {
                return .commitOfAnotherWriter
            }
        }
        return nil
    }

    /// Compares the log with the answers that the callers got.
    private func violation(in state: ProtocolState, values: [UInt8]) -> ProtocolViolation? {
        for (index, writer) in state.writers.enumerated() {
            for (place, fate) in writer.fates.enumerated() where fate != .unused {
                let value = value(of: index, at: place)
                let first = values.firstIndex(of: value)
                if first != values.lastIndex(of: value) { return .valueIsInLogTwice }
                if fate == .acknowledged, first == nil { return .acknowledgedCommitIsMissing }
                if fate == .notCommitted, first != nil { return .commitIsInLogAfterFailure }
            }
        }
        return nil
    }
}
