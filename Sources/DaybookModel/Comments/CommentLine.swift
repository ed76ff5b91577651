#if Macros
internal import SwiftSyntax

/// A line of a comment without its comment marks.
struct CommentLine {
    /// The token before or after the comment.
    let node: TokenSyntax
    let bytes: [UInt8]
    /// The offset of the bytes in the file.
    let start: Int
    /// Whether the line above is a comment, too.
    let isConsecutive: Bool

    var tokens: [CommentToken] { CommentToken.all(in: bytes, from: start) }

    /// The tokens after `objectbox:` at the start of the line; nil if the line starts otherwise.
    var annotationTokens: [CommentToken]? {
        let rest = bytes.drop(while: \.isBlank)
        let word = Array("objectbox".utf8)
        // `|` makes letters lower-case; the word consists of letters.
        guard rest.count > word.count, zip(rest, word).allSatisfy({ $0 | 0x20 == $1 }) else {
            return nil
        }
        let behind = rest.dropFirst(word.count).drop(while: \.isBlank)
        guard behind.first == UInt8(ascii: ":") else { return nil }
        let content = behind.dropFirst()
        return CommentToken.all(in: content, from: start + content.startIndex)
    }

    /// The lines of the comments before `token`.
    static func leading(_ token: TokenSyntax) -> [CommentLine] {
        all(in: token.leadingTrivia, at: token.position, of: token) { _ in true }
    }

    /// The lines of the comments after `token` that `isWanted` selects.
    static func trailing(
        _ token: TokenSyntax, where isWanted: (TriviaPiece) -> Bool = { _ in true }
    ) -> [CommentLine] {
        all(
            in: token.trailingTrivia, at: token.endPositionBeforeTrailingTrivia, of: token,
            where: isWanted)
    }

    private static func all(
        in trivia: Trivia, at position: AbsolutePosition, of token: TokenSyntax,
        where isWanted: (TriviaPiece) -> Bool
    ) -> [CommentLine] {
        var lines: [CommentLine] = []
        var place = position.utf8Offset
        var lineBreaks = 2
        for piece in trivia.pieces {
            switch piece {
            case .newlines(let count), .carriageReturns(let count),
                .carriageReturnLineFeeds(let count):
                lineBreaks += count
            case .lineComment(let text), .docLineComment(let text), .blockComment(let text),
                .docBlockComment(let text):
                if isWanted(piece) {
                    lines += content(
                        of: Array(text.utf8), at: place, token, isConsecutive: lineBreaks < 2)
                    lineBreaks = 0
                }
            default: break
            }
            place += piece.sourceLength.utf8Length
        }
        return lines
    }

    /// The lines of one comment, which starts with `//` or `/*`.
    private static func content(
        of text: [UInt8], at place: Int, _ token: TokenSyntax, isConsecutive: Bool
    ) -> [CommentLine] {
        let star = UInt8(ascii: "*")
        let mark: UInt8 = text.dropFirst().first == star ? star : UInt8(ascii: "/")
        var body = text.dropFirst().drop { $0 == mark }
        if mark == star {
            if body.last == UInt8(ascii: "/") { body.removeLast() }
            while body.last == star { body.removeLast() }
        }
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            // The lines of a block often start with a star.
            let inner = line.drop(while: \.isBlank)
            let line = index > 0 && inner.first == star ? inner.dropFirst() : line
            return CommentLine(
                node: token, bytes: Array(line), start: place + line.startIndex,
                isConsecutive: index > 0 || isConsecutive)
        }
    }
}

extension TriviaPiece {
    /// Whether it is a line comment.
    var isLineComment: Bool {
        switch self {
        case .lineComment, .docLineComment: true
        default: false
        }
    }

    /// Whether it is a block comment.
    var isBlockComment: Bool {
        switch self {
        case .blockComment, .docBlockComment: true
        default: false
        }
    }
}
#endif
