/// The replication protocol with a bad network, as a relation between states.
///
/// Two writers append frames to a stream. The network may lose a request, deliver it late or lose
/// its answer. A server that no longer leads may refuse a request that the leader stores. A read
/// may find nothing although there is a message. A writer may crash at any time.
///
/// A request that is lost is one that the network never delivers, so the model needs no action for
/// it, and no bound for the number of faults.
struct ProtocolModel {
    /// An action and the state after it.
    typealias Step = (action: ProtocolAction, state: ProtocolState)

    static let writerCount = 2

    let options: ProtocolOptions
    let table = FrameTable()
    private let chains: ChainTable

    init(_ options: ProtocolOptions) {
        self.options = options
        chains = ChainTable(ModelChain(mutations: options.mutations), table)
    }

    /// An empty stream without writers.
    var start: ProtocolState {
        let fates = [ModelWriter.Fate](repeating: .unused, count: options.commitMax)
        return ProtocolState(
            writers: Array(repeating: ModelWriter(fates: fates), count: Self.writerCount))
    }

    /// Whether the stream compares its last sequence with the expected one.
    var compares: Bool { !has(.appendWithoutComparison) }

    func has(_ mutation: ProtocolMutation) -> Bool { options.mutations.contains(mutation) }

    /// The identity of a writer after a number of starts.
    func identity(ofWriter index: Int, startCount: UInt8) -> UInt8 {
        UInt8(Int(startCount) * Self.writerCount + index + 1)
    }

    /// The writer that has an identity.
    func index(ofWriter identity: UInt8) -> Int { Int(identity - 1) % Self.writerCount }

    /// The number of a value in the log.
    func value(of index: Int, at place: Int) -> UInt8 { UInt8(index * options.commitMax + place) }

    /// The frames that count in a prefix of the stream.
    func chain(of stream: [FrameTable.Identity], through last: UInt8) -> ModelChain {
        chains.chain(of: last == stream.count ? stream : Array(stream[..<Int(last)]))
    }

    /// All states that one action reaches.
    func successors(of state: ProtocolState) -> [Step] {
        var steps: [Step] = []
        for writer in 0..<Self.writerCount {
            switch state.writers[writer].phase {
            case .stopped, .behind: addClaims(of: writer, in: state, to: &steps)
            case .writing: addCommit(of: writer, in: state, to: &steps)
            case .claiming, .committing: addResolution(of: writer, in: state, to: &steps)
            }
            guard options.crashes, state.writers[writer].phase != .stopped else { continue }
            var next = state
            crash(writer, in: &next)
            steps.append((.crash(writer: writer), next))
        }
        addDeliveries(in: state, to: &steps)
        if Int(state.foreignCount) < options.foreignMax, state.stream.count < options.lengthMax {
            var next = state
            next.foreignCount += 1
            store([FrameTable.none], in: &next)
            steps.append((.foreignMessage, next))
        }
        return steps
    }

    /// Adds the end of waiting for an answer, or the results of the read after it.
    private func addResolution(
        of writer: Int, in state: ProtocolState, to steps: inout [Step]
    ) {
        guard state.writers[writer].answer == .awaited else {
            addReads(of: writer, in: state, to: &steps)
            return
        }
        var next = state
        next.writers[writer].answer = .missing
        steps.append((.timeOut(writer: writer), next))
        // The refusal may be false, because the request can still be stored.
        next = state
        next.writers[writer].answer = .refused
        if has(.refusalIsProof) { giveUp(writer, in: &next) }
        steps.append((.refuse(writer: writer), next))
        guard options.deduplicates, options.sending != .batch,
            let first = state.writers[writer].pending.first,
            let place = state.stream.firstIndex(of: first)
        else { return }
        next = state
        answer(writer, sequence: UInt8(place + 1), count: 1, in: &next)
        steps.append((.answerDuplicate(writer: writer), next))
    }
}
