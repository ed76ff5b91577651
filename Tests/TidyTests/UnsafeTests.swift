import Testing

/// Only two modules use memory that the compiler does not check, and every use states why it is
/// safe.
@Suite struct UnsafeTests {
    static let folders = ["Sources/DaybookBytes/", "Sources/DaybookPages/"]

    @Test func `unsafe code is in two modules only`() {
        let found = SourceTree.sourcesAndTools
            .filter { file in !Self.folders.contains { file.path.hasPrefix($0) } }
            .flatMap { file in
                file.code.indices.filter { file.code[$0].contains(word: "unsafe") }.map(file.place)
            }
        #expect(found == [])
    }

    /// The rule: a member of a type, or a function of a file, with the word `unsafe` in its code
    /// has a comment with `SAFETY:` in itself or directly above it.
    @Test func `every member with unsafe code says which check makes it safe`() {
        let found = SourceTree.sources.flatMap { file in
            file.members.filter { member in
                member.contains { file.code[$0].contains(word: "unsafe") }
                    && !member.contains { file.lines[$0].contains("SAFETY:") }
            }.map { file.place($0.first { file.code[$0].contains(word: "unsafe") } ?? 0) }
        }
        #expect(found == [])
    }

    /// The rule: `SENDABLE:` is in the comment directly above, or within three lines below.
    @Test func `every unchecked Sendable says why it may cross threads`() {
        let found = SourceTree.sourcesAndTools.flatMap { file in
            file.code.indices.filter { index in
                guard file.code[index].contains("@unchecked Sendable") else { return false }
                let below = file.lines[index...].prefix(4)
                return !(file.commentBlock(above: index) + below).contains {
                    $0.contains("SENDABLE:")
                }
            }.map(file.place)
        }
        #expect(found == [])
    }

    @Test func `members begin with their comments and end with their braces`() {
        let file = SourceFile(
            path: "a.swift",
            text: """
                /// A type.
                struct S {
                    /// One.
                    let one = 1

                    // Two.
                    func two() {
                        if true { three() }
                    }
                    var three: Int {
                        3
                    }
                }
                """)
        #expect(file.members.contains(5...8))
        #expect(file.members.contains(9...11))
    }
}
