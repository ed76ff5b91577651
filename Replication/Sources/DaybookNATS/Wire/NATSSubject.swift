/// The rules of subjects.
enum NATSSubject {
    /// The maximum length of a subject, so that a control line fits into the server's 4 KiB.
    static let lengthBytesMax = 1024

    /// Throws `.invalidArgument` unless a message can be published to the subject.
    static func checkPublish(_ subject: String) throws(NATSError) {
        try check(subject, allowsWildcards: false)
    }

    /// Throws `.invalidArgument` unless the subject can be subscribed to.
    static func checkSubscribe(_ subject: String) throws(NATSError) {
        try check(subject, allowsWildcards: true)
    }

    /// Throws `.invalidArgument` unless the text is one token: the name of a stream, a consumer or
    /// a domain.
    static func checkName(_ name: String, of kind: String) throws(NATSError) {
        let isValid =
            !name.isEmpty && name.utf8.count <= 255
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !".*>/\\".utf8.contains($0) }
        guard isValid else {
            throw NATSError(
                .invalidArgument,
                "The name \"\(name)\" of a \(kind) is not valid. Use 1 to 255 characters without"
                    + " spaces, dots, slashes and wildcards.")
        }
    }

    private static func check(_ subject: String, allowsWildcards: Bool) throws(NATSError) {
        // Bytes, because a point with a combining mark after it is another character.
        let point = UInt8(ascii: ".")
        let tokens = subject.utf8.split(separator: point, omittingEmptySubsequences: false)
        var isValid = subject.utf8.count <= lengthBytesMax && tokens.allSatisfy { !$0.isEmpty }
        for (index, token) in tokens.enumerated() {
            let isLast = index == tokens.count - 1
            let isWildcard =
                token.elementsEqual("*".utf8) || isLast && token.elementsEqual(">".utf8)
            isValid = isValid && token.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            if !(isWildcard && allowsWildcards) {
                isValid = isValid && !token.contains { "*>".utf8.contains($0) }
            }
        }
        guard isValid else {
            throw NATSError(
                .invalidArgument,
                "The subject \"\(subject)\" is not valid. Use non-empty tokens between dots,"
                    + " without spaces, at most \(lengthBytesMax) bytes"
                    + (allowsWildcards ? "." : ", and no wildcards."))
        }
    }
}
