/// The frames that count in a prefix of the stream.
struct ModelChain {
    /// The mutations of the protocol, which may change the rule.
    let mutations: [ProtocolMutation]
    private(set) var head = FrameTable.none
    private(set) var term: UInt8 = 0
    private(set) var writer: UInt8 = 0
    /// All frames that counted, in order.
    private(set) var frames: [FrameTable.Identity] = []
    /// The committed values, in order.
    private(set) var values: [UInt8] = []

    /// Reads the next message. Returns false if the message does not count.
    mutating func accept(_ identity: FrameTable.Identity, in table: FrameTable) -> Bool {
        guard identity != FrameTable.none else { return false }
        let frame = table[identity]
        guard counts(frame) else { return false }
        switch frame.content {
        case .claim:
            term = frame.term
            writer = frame.writer
        case .commit(let value): values.append(value)
        }
        head = identity
        frames.append(identity)
        return true
    }

    /// The term of the next claim.
    var nextTerm: UInt8 {
        mutations.contains(.claimKeepsTerm) ? max(term, 1) : term + 1
    }

    private func counts(_ frame: ModelFrame) -> Bool {
        if mutations.contains(.everyFrameCounts) { return true }
        guard frame.predecessor == head else { return false }
        if frame.content == .claim { return frame.term == nextTerm }
        if mutations.contains(.everyWriterCommits) { return true }
        return frame.term == term && frame.writer == writer
    }
}
