/// The chains of all streams of a model, because most states share their stream with others.
final class ChainTable {
    private let start: ModelChain
    private let table: FrameTable
    private var chains: [[FrameTable.Identity]: ModelChain] = [:]

    /// `start` is the chain of an empty stream.
    init(_ start: ModelChain, _ table: FrameTable) {
        self.start = start
        self.table = table
    }

    /// The chain of a stream.
    func chain(of stream: [FrameTable.Identity]) -> ModelChain {
        if let chain = chains[stream] { return chain }
        var chain = start
        for message in stream { _ = chain.accept(message, in: table) }
        chains[stream] = chain
        return chain
    }
}
