/// The error in an answer of JetStream.
struct JetStreamFailure: Decodable {
    var code: Int?
    var errorCode: Int?
    var description: String?

    private enum CodingKeys: String, CodingKey {
        case code
        case errorCode = "err_code"
        case description
    }
}
