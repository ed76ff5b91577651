import Crypto
import NIOCore
import NIOFoundationCompat

/// The SHA-256 of a frame. It is also the content id of the message, so that the stream stores a
/// repeated message once.
struct FrameHash: Sendable, Hashable {
    static let length = 32
    /// The predecessor of the first frame.
    static let none = FrameHash(bytes: [UInt8](repeating: 0, count: length))

    let bytes: [UInt8]

    /// Creates a hash of ``length`` bytes.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The hash of the bytes of a message.
    init(of message: ByteBuffer) {
        bytes = Array(SHA256.hash(data: message.readableBytesView))
    }

    /// The hexadecimal digits.
    var text: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }

    /// Parses ``text``; nil for any other text.
    init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.length else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[place..<(place + 2)], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        self.bytes = bytes
        guard self.text == text else { return nil }
    }
}
