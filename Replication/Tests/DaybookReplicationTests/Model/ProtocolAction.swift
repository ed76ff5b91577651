/// An action that leads from one state to the next one.
enum ProtocolAction: CustomStringConvertible {
    case claim(writer: Int, known: UInt8)
    case commit(writer: Int)
    case crash(writer: Int)
    case refuse(writer: Int)
    case timeOut(writer: Int)
    case answerDuplicate(writer: Int)
    case read(writer: Int)
    case readNothing(writer: Int)
    case store(writer: Int, expectedLast: UInt8)
    case storeAndAnswer(writer: Int)
    case foreignMessage

    var description: String {
        switch self {
        case .claim(let writer, let known): "writer \(writer) claims after \(known)"
        case .commit(let writer): "writer \(writer) commits"
        case .crash(let writer): "writer \(writer) crashes"
        case .refuse(let writer): "a server refuses writer \(writer)"
        case .timeOut(let writer): "writer \(writer) times out"
        case .answerDuplicate(let writer): "a server has a frame of writer \(writer) already"
        case .read(let writer): "writer \(writer) reads a message"
        case .readNothing(let writer): "writer \(writer) reads nothing"
        case .store(let writer, let expectedLast):
            "the stream stores a request of writer \(writer) after \(expectedLast)"
        case .storeAndAnswer(let writer): "the stream stores and answers writer \(writer)"
        case .foreignMessage: "the stream stores a foreign message"
        }
    }
}
