import Testing

/// Every public declaration is documented.
@Suite struct PublicTests {
    @Test func `every public declaration has a comment of documentation`() {
        let found = SourceTree.libraries.flatMap { file in
            file.code.indices.filter { index in
                let words = file.code[index].words
                // Attributes of several lines may be between a macro and its comment.
                return words.first == "public"
                    && !words.contains { ["import", "macro"].contains($0) }
                    && !Self.isWitness(words, in: file)
                    && !file.commentBlock(above: index).contains { $0.trimmed.hasPrefix("///") }
            }.map(file.place)
        }
        #expect(found == [])
    }

    /// Witnesses of value types have the documentation of the protocol.
    private static func isWitness(_ words: [Substring], in file: SourceFile) -> Bool {
        file.name.hasPrefix("PropertyValue")
            && [
                "propertyType", "isOptionalProperty", "mayHoldUnknownValues", "read", "write",
            ].contains { words.contains($0) }
    }
}
