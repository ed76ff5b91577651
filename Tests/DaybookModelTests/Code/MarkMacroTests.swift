#if Macros
import Testing

@Suite struct MarkMacroTests {
    @Test(arguments: [
        "@Transient var draft = 1",
        "@Transient var draft: Int { didSet {} }",
        "@Transient lazy var draft = 1",
        "@Transient let draft = 1",
        "@Transient var (first, second) = (1, 2)",
    ])
    func `an attribute on a stored property reports nothing and generates nothing`(source: String) {
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
    func `an attribute on a property that is not stored gives a warning`(source: String) {
        let expanded = ExpandedSource("struct Note {\n    \(source)\n}")
        #expect(
            expanded.problems == [
                "2:5 warning: @Transient has no effect here: this property is not stored anyway"
            ])
    }

    @Test(arguments: ["@Transient func draft() {}", "@Transient struct Draft {}"])
    func `an attribute on anything but a property is an error`(source: String) {
        let expanded = ExpandedSource("struct Note {\n    \(source)\n}")
        #expect(
            expanded.problems == [
                "2:5 error: @Transient belongs on a stored property of an entity"
            ])
    }

    @Test(arguments: [
        "@Index var name = 1", "@Index(.hash) var name: String", "@Unique var name: String",
        "@Unique(onConflict: .replace) var name: String", "@Id var key: UInt64",
        "@PrimaryKey var name: String", "@Name(\"n\") var name: String",
        "@Convert(default: .unknown) var role: Role", "@Nanoseconds var made: Date",
        "@Encoded var settings: Settings", "@Renamed(from: \"old\") var name: String",
        "@Backlink(\\Order.customer) var orders: ToMany<Order> = nil",
        "@Backlink(\"customer\", onDelete: .deny, removesOrphans: true) var a: ToMany<Order> = nil",
        "@Relation(onTargetDelete: .cascade) var customer: ToOne<Customer> = nil",
        "@PrimaryKey(\"a\") @Index(\"a\", \"b\") @Unique(\"a\") @Name(\"n\") struct Note {}",
        "@Renamed(from: \"Old\") class Note {}",
    ])
    func `an attribute in its place reports nothing and generates nothing`(source: String) {
        let expanded = ExpandedSource("struct Outer {\n    \(source)\n}")
        #expect(expanded.problems == [])
        #expect(!expanded.text.contains("@"))
    }

    @Test(arguments: [
        ("@Index let one = 1", "@Index has no effect here: this property is not stored anyway"),
        (
            "@Name(\"n\") var a: Int { 1 }",
            "@Name has no effect here: this property is not stored anyway"
        ),
        (
            "@Relation var a: ToOne<B> { nil }",
            "@Relation has no effect here: this property is not stored anyway"
        ),
        ("@Id static var a: Id = 0", "@Id has no effect here: this property is not stored anyway"),
    ])
    func `an attribute on a declaration that is not stored has no effect`(
        source: String, warning: String
    ) {
        let expanded = ExpandedSource("struct Outer {\n    \(source)\n}")
        #expect(expanded.problems == ["2:5 warning: \(warning)"])
    }

    @Test(arguments: [
        ("@Id struct A {}", "@Id belongs on a stored property of an entity"),
        ("@Relation struct A {}", "@Relation belongs on a stored property of an entity"),
        ("@Encoded func a() {}", "@Encoded belongs on a stored property of an entity"),
        ("@Name(\"n\") enum A {}", "@Name belongs on an entity or on a stored property of one"),
        ("@Index func a() {}", "@Index belongs on an entity or on a stored property of one"),
        (
            "@Index(\"a\", \"b\") var a = 1",
            "@Index on a property applies to that property: to name several, attach it to the type"
        ),
        (
            "@Unique struct A {}",
            "@Unique on a type names its properties: @Unique(\"first\", \"second\")"
        ),
    ])
    func `the error for a misplaced attribute names the right place`(source: String, error: String)
    {
        let expanded = ExpandedSource("struct Outer {\n    \(source)\n}")
        #expect(expanded.problems == ["2:5 error: \(error)"])
    }
}
#endif
