import Testing

@Suite struct CodeReaderTests {
    @Test(arguments: [
        ("let a = 1 // unsafe", "let a = 1"),
        ("/* a /* b */ c */ let b = 2", "let b = 2"),
        ("print(\"unsafe { } \\\"\") ; end", "print(          ) ; end"),
        ("print(\"a \\(b + \"c\" + f(d)) e\") }", "print(     b +     + f(d)     ) }"),
        ("print(#\"a \"b\" \\n\"#) }", "print(             ) }"),
        ("func `a // name`() {}", "func `         `() {}"),
        ("let t = \"\"\"\n  { \" \"\n  \"\"\" + x", "let t =\n\n      + x"),
    ])
    func `comments and strings are blanked and code stays`(text: String, code: String) {
        let lines = CodeReader.code(of: text).split(
            separator: "\n", omittingEmptySubsequences: false)
        let expected = code.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.map(\.trimmed.words) == expected.map(\.trimmed.words))
        #expect(CodeReader.code(of: text).count == text.count)
        #expect(
            CodeReader.code(of: text).filter { "{}".contains($0) }
                == code.filter { "{}".contains($0) })
    }
}
