#if Macros
import Testing

@Suite struct TransientMacroTests {
    @Test(arguments: [
        "@Transient var draft = 1",
        "@Transient var draft: Int { didSet {} }",
        "@Transient lazy var draft = 1",
        "@Transient let draft = 1",
        "@Transient var (first, second) = (1, 2)",
    ])
    func `on a property that holds a value it says nothing and writes nothing`(source: String) {
        let expanded = ExpandedSource("struct Note {\n    \(source)\n}")
        #expect(expanded.problems == [])
        let plain = source.replacing("@Transient ", with: "")
        #expect(expanded.text == "struct Note {\n    \(plain)\n}")
    }

    @Test(arguments: [
        "@Transient var draft: Int { 1 }",
        "@Transient var draft: Int { get { 1 } set {} }",
        "@Transient static var draft = 1",
    ])
    func `on a property that is not stored anyway it warns`(source: String) {
        let expanded = ExpandedSource("struct Note {\n    \(source)\n}")
        #expect(
            expanded.problems == [
                "2:5 warning: @Transient has no effect here: this property is not stored anyway"
            ])
    }

    @Test(arguments: ["@Transient func draft() {}", "@Transient struct Draft {}"])
    func `on anything but a property it is an error`(source: String) {
        let expanded = ExpandedSource("struct Note {\n    \(source)\n}")
        #expect(
            expanded.problems == [
                "2:5 error: @Transient belongs on a stored property of an entity"
            ])
    }
}
#endif
