import Testing

/// The sources use nothing that needs newer Apple systems than Package.swift requires: macOS 15,
/// iOS 18, tvOS 18, watchOS 11 and visionOS 2. On Linux, the compiler does not check this.
@Suite struct AvailabilityTests {
    /// Names in the interfaces of the Swift library that need macOS 26 and iOS 26. Names that have
    /// also an older meaning, such as `kind`, are left out.
    private static let names: Set<String> = [
        "InlineArray", "Observations", "UTF8Span", "addImmediateTask", "asSerialExecutor",
        "asTaskExecutor", "checkForASCII", "escalatePriority", "immediateDetached",
        "isCanonicallyEquivalent", "isIsolatingCurrentContext", "isKnownASCII", "isMainExecutor",
        "makeCharacterIterator", "untilFinished", "utf8Span",
        "withTaskPriorityEscalationHandler",
    ]

    /// The properties of arrays that DaybookBytes declares, because those of the Swift library are
    /// as new. The compiler finds them only where the module is imported.
    private static let spans = ["span", "mutableSpan"]

    /// Returns each use of a new interface, except directly after a check that it is available.
    static func violations(in file: SourceFile) -> [String] {
        let declaresSpans =
            file.path.hasPrefix("Sources/DaybookBytes/")
            || file.code.contains { $0.contains("var span:") }
        let hasSpans = declaresSpans || file.code.contains { $0.contains("import DaybookBytes") }
        return file.code.indices.flatMap { index -> [String] in
            let line = file.code[index]
            if index > 0, file.code[index - 1].contains("#available(") { return [] }
            var found = line.words.map(String.init).filter(names.contains)
            if line.contains("utf8.span") { found.append("utf8.span") }
            if !hasSpans,
                spans.contains(where: { line.contains("." + $0) && line.contains(word: $0) })
            {
                found.append("a span without DaybookBytes")
            }
            return found.map { "\(file.place(index)): \($0)" }
        }
    }

    @Test func `the sources use no interfaces that need newer Apple systems`() {
        #expect(SourceTree.all.flatMap(Self.violations) == [])
    }

    @Test func `uses of new interfaces are reported`() {
        let uses = """
            var numbers = InlineArray<4, Int>(repeating: 0)  // InlineArray
            read(text.utf8.span)
            read([1, 2].span)
            """
        let place = "Sources/DaybookLog/A.swift"
        #expect(
            Self.violations(in: SourceFile(path: place, text: uses)) == [
                "\(place):1: InlineArray", "\(place):2: utf8.span",
                "\(place):2: a span without DaybookBytes",
                "\(place):3: a span without DaybookBytes",
            ])
        let checked =
            "if #available(macOS 26, *) {\n    use(UTF8Span(text))\n}\nuse(UTF8Span(text))"
        #expect(
            Self.violations(in: SourceFile(path: place, text: checked)) == ["\(place):4: UTF8Span"])
        let withImport = "import DaybookBytes\n" + uses
        #expect(Self.violations(in: SourceFile(path: place, text: withImport)).count == 2)
    }
}
