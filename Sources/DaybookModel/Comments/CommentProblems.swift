#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// The errors in comments, each with its position inside the comment.
struct CommentProblems {
    private(set) var diagnostics: [Diagnostic] = []

    /// The annotations of a statement that are valid at `place`. Reports all others, with a fix-it
    /// if a similar name was probably meant. `seen` contains the earlier annotations there.
    mutating func known(
        _ statement: CommentStatement, at place: CommentName.Place, seen: inout Set<CommentName>
    ) -> [(name: CommentName, annotation: CommentAnnotation)] {
        let parser = CommentParser(statement)
        for (problem, range) in parser.problems { report(problem, at: range, in: statement.node) }
        return parser.annotations.compactMap { annotation in
            let written = annotation.name.text
            guard let name = CommentName(written) else {
                reportUnknown(annotation.name, in: statement.node)
                return nil
            }
            if let reason = name.reasonForNoEffect {
                report(
                    .withoutEffect(written, reason: reason), at: annotation.name.range,
                    in: statement.node)
                return nil
            }
            if let problem = Self.problem(name, written, at: place) {
                report(problem, at: annotation.name.range, in: statement.node)
                return nil
            }
            // Names pile up, and indexes of several properties; of everything else two would
            // contradict each other, or say the same.
            let pilesUp =
                name == .renamedFrom || place == .type && (name == .index || name == .unique)
            guard seen.insert(name).inserted || pilesUp else {
                report(.repeated(written), at: annotation.name.range, in: statement.node)
                return nil
            }
            return (name, annotation)
        }
    }

    private static func problem(
        _ name: CommentName, _ written: String, at place: CommentName.Place
    ) -> CommentDiagnostic? {
        if let advice = name.advice { return .unsupported(written, advice: advice) }
        guard let own = name.place, own != place else { return nil }
        return .misplaced(written, at: place.rawValue, instead: own.rawValue)
    }

    private mutating func reportUnknown(_ word: CommentToken, in node: TokenSyntax) {
        let nearest = CommentName.nearest(to: word.text)?.rawValue
        let change = nearest.map { name in
            FixIt(
                message: CommentFixIt(message: "change '\(word.text)' to '\(name)'"),
                changes: [
                    .replaceText(range: word.range.positions, with: name, in: Syntax(node))
                ])
        }
        report(
            .unknown(word.text, nearest: nearest), at: word.range, in: node,
            fixIts: change.map { [$0] } ?? [])
    }

    mutating func report(
        _ problem: CommentDiagnostic, at range: Range<Int>, in node: TokenSyntax,
        fixIts: [FixIt] = []
    ) {
        diagnostics.append(
            Diagnostic(
                node: node, position: range.positions.lowerBound, message: problem, fixIts: fixIts))
    }
}

private struct CommentFixIt: FixItMessage {
    let message: String
    let fixItID = MessageID(domain: "Daybook", id: "renameAnnotation")
}

extension Range<Int> {
    fileprivate var positions: Range<AbsolutePosition> {
        AbsolutePosition(utf8Offset: lowerBound)..<AbsolutePosition(utf8Offset: upperBound)
    }
}
#endif
