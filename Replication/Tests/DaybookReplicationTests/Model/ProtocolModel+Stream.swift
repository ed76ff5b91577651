/// The stream and the network.
extension ProtocolModel {
    /// Sends all pending frames of a writer.
    func send(_ writer: Int, in state: inout ProtocolState) {
        let known = state.writers[writer].known
        let pending = state.writers[writer].pending
        state.writers[writer].answer = .awaited
        guard options.sending == .pipeline else {
            add(ModelRequest(frames: pending, expectedLast: known), to: &state)
            return
        }
        for (place, frame) in pending.enumerated() {
            add(ModelRequest(frames: [frame], expectedLast: known + UInt8(place)), to: &state)
        }
    }

    /// Adds a request to the network.
    ///
    /// A stream that compares refuses the second one of two equal requests, and a request whose
    /// place is taken, so the model forgets both.
    private func add(_ request: ModelRequest, to state: inout ProtocolState) {
        if compares {
            guard request.expectedLast >= state.last, !state.requests.contains(request) else {
                return
            }
        } else if state.requests.count == options.requestMax {
            return
        }
        let place =
            state.requests.firstIndex { other in
                (other.expectedLast, other.frames[0]) >= (request.expectedLast, request.frames[0])
            } ?? state.requests.count
        state.requests.insert(request, at: place)
    }

    /// Adds messages to the stream.
    func store(_ messages: [FrameTable.Identity], in state: inout ProtocolState) {
        state.stream += messages
        guard compares else { return }
        let last = state.last
        state.requests.removeAll { $0.expectedLast < last }
    }

    /// Stores the frames of a request.
    func deliver(_ place: Int, in state: inout ProtocolState) {
        let request = state.requests.remove(at: place)
        store(request.frames, in: &state)
    }

    /// Adds the deliveries of all requests, with and without an answer.
    ///
    /// An answer arrives at once or never. A writer does nothing while it waits, so a late answer
    /// adds no behaviour.
    func addDeliveries(in state: ProtocolState, to steps: inout [Step]) {
        for (place, request) in state.requests.enumerated() {
            if place > 0, state.requests[place - 1] == request { continue }
            guard !compares || request.expectedLast == state.last,
                state.stream.count + request.frames.count <= options.lengthMax
            else { continue }
            var next = state
            deliver(place, in: &next)
            let sender = index(ofWriter: table[request.frames[0]].writer)
            steps.append((.store(writer: sender, expectedLast: request.expectedLast), next))
            for index in 0..<Self.writerCount {
                let writer = state.writers[index]
                guard writer.answer == .awaited, writer.pending.first == request.frames[0],
                    writer.known == request.expectedLast
                else { continue }
                var answered = next
                answer(
                    index, sequence: next.last, count: request.frames.count, in: &answered)
                steps.append((.storeAndAnswer(writer: index), answered))
            }
        }
    }
}
