/// The rules of a writer.
extension ProtocolModel {
    /// Adds the claims of a writer that starts or continues. Its reads may miss the last messages.
    func addClaims(of index: Int, in state: ProtocolState, to steps: inout [Step]) {
        guard Int(state.claimCount) < options.claimMax else { return }
        for known in state.writers[index].known...state.last {
            var next = state
            next.claimCount += 1
            var writer = state.writers[index]
            if writer.phase == .stopped {
                writer.identity = identity(ofWriter: index, startCount: writer.startCount)
                if !has(.identityOutlivesCrash) { writer.startCount += 1 }
            }
            let chain = chain(of: state.stream, through: known)
            if has(.retryPrecedesClaim) { retry(&writer, index, after: chain) }
            let claim = ModelFrame(
                term: chain.nextTerm, writer: writer.identity, predecessor: chain.head,
                content: .claim)
            writer.known = known
            writer.phase = .claiming
            writer.pending = [table.identity(of: claim)]
            next.writers[index] = writer
            send(index, in: &next)
            steps.append((.claim(writer: index, known: known), next))
        }
    }

    /// Adds the next commits of a writer.
    func addCommit(of index: Int, in state: ProtocolState, to steps: inout [Step]) {
        var writer = state.writers[index]
        let again: ModelWriter.Fate = has(.failedCommitStays) ? .notCommitted : .unused
        let unused = writer.fates.firstIndex { $0 == .unused || $0 == again }
        guard let first = unused else { return }
        let end = options.sending == .single ? first + 1 : writer.fates.count
        let chain = chain(of: state.stream, through: writer.known)
        var head = chain.head
        for place in first..<end {
            let value = value(of: index, at: place)
            let frame = ModelFrame(
                term: chain.term, writer: writer.identity, predecessor: head,
                content: .commit(value: value))
            head = table.identity(of: frame)
            writer.pending.append(head)
            // Its caller got an answer that must remain true.
            if writer.fates[place] != .notCommitted { writer.fates[place] = .pending }
        }
        writer.phase = .committing
        var next = state
        next.writers[index] = writer
        send(index, in: &next)
        steps.append((.commit(writer: index), next))
    }

    /// Adds the results of reading the message at the expected place. The read may be old.
    func addReads(of index: Int, in state: ProtocolState, to steps: inout [Step]) {
        if state.writers[index].known < state.last {
            var next = state
            read(index, in: &next)
            steps.append((.read(writer: index), next))
        }
        var next = state
        if has(.emptyReadIsProof), state.writers[index].answer == .refused {
            giveUp(index, in: &next)
        } else {
            repeatFrames(of: index, in: &next)
        }
        steps.append((.readNothing(writer: index), next))
    }

    /// Handles an answer with the sequence of the last one of `count` frames.
    func answer(_ index: Int, sequence: UInt8, count: Int, in state: inout ProtocolState) {
        if has(.everySequenceIsExpected) {
            state.writers[index].known = sequence - UInt8(count)
        }
        guard sequence == state.writers[index].known + UInt8(count) else {
            state.writers[index].answer = .missing
            return
        }
        finish(index, count: count, in: &state)
    }

    /// Handles the message at the place of the first pending frame.
    func read(_ index: Int, in state: inout ProtocolState) {
        let known = state.writers[index].known
        let message = state.stream[Int(known)]
        guard message != state.writers[index].pending[0] else {
            finish(index, count: 1, in: &state)
            return
        }
        var chain = chain(of: state.stream, through: known)
        if chain.accept(message, in: table),
            !has(.onlyClaimsSupersede) || table[message].content == .claim
        {
            giveUp(index, in: &state)
            return
        }
        if !has(.skippedMessageStays) { state.writers[index].known = known + 1 }
        send(index, in: &state)
    }

    /// The first pending frames are in the log.
    private func finish(_ index: Int, count: Int, in state: inout ProtocolState) {
        state.writers[index].known += UInt8(count)
        state.writers[index].settle(count, .acknowledged, in: table, options)
        guard state.writers[index].pending.isEmpty else { return }
        if state.writers[index].phase == .claiming, !has(.retryPrecedesClaim) {
            let chain = chain(of: state.stream, through: state.writers[index].known)
            retry(&state.writers[index], index, after: chain)
        }
        state.writers[index].phase = .writing
        state.writers[index].answer = .awaited
    }

    /// Decides about the values that a crash left without an answer.
    ///
    /// The claim is in the log, so a late frame from before the crash cannot count any more.
    private func retry(_ writer: inout ModelWriter, _ index: Int, after chain: ModelChain) {
        guard options.retriesAfterCrash else { return }
        for place in 0..<options.commitMax where writer.fates[place] == .unknown {
            let isInLog = chain.values.contains(value(of: index, at: place))
            writer.fates[place] = isInLog ? .acknowledged : .unused
        }
    }

    /// The pending frames are not in the log, as far as the writer believes.
    func giveUp(_ index: Int, in state: inout ProtocolState) {
        guard state.writers[index].phase == .committing else {
            state.writers[index].phase = .behind
            state.writers[index].answer = .awaited
            state.writers[index].pending = []
            return
        }
        end(index, .notCommitted, in: &state)
    }

    /// Stops a writer, whose callers get no answer.
    func crash(_ index: Int, in state: inout ProtocolState) {
        end(index, .unknown, in: &state)
    }

    private func end(_ index: Int, _ fate: ModelWriter.Fate, in state: inout ProtocolState) {
        let count = state.writers[index].pending.count
        state.writers[index].settle(count, fate, in: table, options)
        state.writers[index].phase = .stopped
        state.writers[index].answer = .awaited
        // The next start reads the stream from its beginning.
        state.writers[index].known = 0
        state.writers[index].identity = 0
    }

    /// Sends the pending frames again.
    func repeatFrames(of index: Int, in state: inout ProtocolState) {
        let writer = state.writers[index]
        if writer.phase == .committing, has(.repeatedFrameIsNew) || has(.repeatedFrameMoves) {
            var frame = table[writer.pending[0]]
            frame.attempt = has(.repeatedFrameIsNew) ? 1 : 0
            if has(.repeatedFrameMoves) {
                let chain = chain(of: state.stream, through: state.last)
                guard chain.writer == writer.identity else {
                    giveUp(index, in: &state)
                    return
                }
                frame.predecessor = chain.head
                state.writers[index].known = state.last
            }
            state.writers[index].pending[0] = table.identity(of: frame)
        }
        send(index, in: &state)
    }
}

extension ModelWriter {
    /// Removes the first pending frames and notes the fate of their values.
    fileprivate mutating func settle(
        _ count: Int, _ fate: Fate, in table: FrameTable, _ options: ProtocolOptions
    ) {
        for frame in pending.prefix(count) {
            guard case .commit(let value) = table[frame].content else { continue }
            let place = Int(value) % options.commitMax
            if fates[place] != .notCommitted { fates[place] = fate }
        }
        pending.removeFirst(count)
    }
}
