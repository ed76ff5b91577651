@testable import Archive
import Daybook
import Testing

@Suite struct RelationTests {
    private static let text = """
        Package: base
        Version: 1
        Architecture: all
        Maintainer: Ada
        Section: libs

        Package: tool
        Version: 1
        Architecture: all
        Maintainer: Grace
        Section: contrib/net
        Pre-Depends: base (>= 1)
        Depends: missing | mailer, nothing, base:any

        Package: postman
        Version: 1
        Architecture: all
        Maintainer: Ada
        Section: mail
        Provides: mailer (= 1), postbox
        Depends: base
        """

    private let list = PackageList(path: "/lists/example_Packages")

    private func filled(
        _ text: String = text, _ name: String = #function
    ) throws -> (store: Store, outcome: Linking.Outcome) {
        let store = try ArchiveCommand.open("memory:\(name)")
        return (store, try bring(store, to: text))
    }

    @discardableResult
    private func bring(_ store: Store, to text: String) throws -> Linking.Outcome {
        _ = try Import(store).run(Array(text.utf8), of: list)
        return try Linking(store).run()
    }

    private func package(_ name: String, _ store: Store) throws -> DebianPackage {
        try #require(try LookUp(store: store).packages(named: name).first)
    }

    private func names(_ packages: ToMany<DebianPackage>) -> [String] {
        packages.map(\.fields.name).sorted()
    }

    @Test func `names are parsed from lists with versions, architectures and alternatives`() {
        let text = "libc6 (>= 2.34), debconf (>= 0.5) | debconf-2.0,\n perl:any, ,"
        #expect(
            Requirements.read(text) == [["libc6"], ["debconf", "debconf-2.0"], ["perl"], []])
        #expect(Requirements.names("httpd, httpd-cgi (= 1)") == ["httpd", "httpd-cgi"])
        #expect(Requirements.read("") == [])
    }

    @Test func `packages have relations to their dependencies, and backlinks`() throws {
        let (store, outcome) = try filled()
        #expect(outcome == Linking.Outcome(changedCount: 2, linkCount: 3, missingCount: 1))
        #expect(names(try package("tool", store).dependsOn) == ["base", "postman"])
        #expect(names(try package("base", store).requiredBy) == ["postman", "tool"])
        #expect(names(try package("tool", store).requiredBy) == [])
    }

    @Test func `importing the same text again writes no link and no object`() throws {
        let (store, _) = try filled()
        let sequence = try store.sequence
        let outcome = try bring(store, to: Self.text)
        #expect(outcome == Linking.Outcome(changedCount: 0, linkCount: 3, missingCount: 1))
        #expect(try store.sequence == sequence)
    }

    @Test func `an import links and unlinks only changed dependencies`() throws {
        let (store, _) = try filled()
        let text = Self.text.replacing("base:any", with: "postman").replacing(
            "Pre-Depends: base (>= 1)\n", with: "")
        #expect(try bring(store, to: text).changedCount == 1)
        #expect(names(try package("tool", store).dependsOn) == ["postman"])
        #expect(names(try package("base", store).requiredBy) == ["postman"])
    }

    @Test func `removing a package removes its links, and importing it again restores them`() throws
    {
        let (store, _) = try filled()
        let parts = Self.text.split(separator: "\n\n")
        #expect(try bring(store, to: parts[..<2].joined(separator: "\n\n")).linkCount == 1)
        #expect(names(try package("base", store).requiredBy) == ["tool"])
        #expect(try bring(store, to: Self.text).linkCount == 3)
        #expect(names(try package("tool", store).dependsOn) == ["base", "postman"])
    }

    @Test func `a maintainer without packages is removed, and returns with its next package`()
        throws
    {
        let (store, _) = try filled()
        let all = try Overview(store: store).maintainers()
        #expect(all.map(\.name) == ["Ada", "Grace"])
        #expect(all.map(\.packageCount) == [2, 1])
        try bring(store, to: Self.text.replacing("Grace", with: "Ada"))
        #expect(try Overview(store: store).maintainers().map(\.name) == ["Ada"])
        try bring(store, to: Self.text)
        #expect(try Overview(store: store).maintainers().map(\.name) == ["Ada", "Grace"])
    }

    @Test func `cascaded objects have their backlinks immediately`() throws {
        let store = try ArchiveCommand.open("memory:put along")
        let package = DebianPackage(maintainer: ToOne(Maintainer("Ada")))
        try store.box(for: DebianPackage.self).put(package)
        #expect(package.maintainer.target?.packages.count == 1)
        let other = DebianPackage(dependsOn: [DebianPackage()])
        try store.box(for: DebianPackage.self).put(other)
        #expect(other.dependsOn.first?.requiredBy.count == 1)
    }

    @Test func `sections are a tree with counts`() throws {
        let (store, _) = try filled()
        #expect(
            try Overview(store: store).sections() == [
                "contrib 1", "  net 1", "main 2", "  libs 1", "  mail 1",
            ])
    }

    @Test func `a section with packages stays, and so do its parent sections`() throws {
        let (store, _) = try filled()
        let sections = store.box(for: Section.self)
        let main = try #require(try sections.get(key: "main"))
        let error = #expect(throws: DaybookError.self) { try sections.remove(main) }
        #expect(error?.code == .relationDenied)
        #expect(try sections.count() == 5)
        let package = try package("tool", store)
        try store.box(for: DebianPackage.self).remove(package.id)
        #expect(try sections.remove(key: "contrib"))
        #expect(try sections.all().map(\.path).sorted() == ["main", "main/libs", "main/mail"])
    }

    @Test func `a traversal returns each package once, at the first step that reaches it`() throws {
        let (store, _) = try filled()
        let walk = Walk(store: store)
        let start = try package("tool", store).id
        let steps = try walk.steps(from: [start], along: \.dependsOn)
        #expect(try steps.map { try walk.names(of: $0) } == [["base", "postman"]])
        let base = try package("base", store).id
        let back = try walk.steps(from: [base], along: \.requiredBy, isTransitive: false)
        #expect(try back.map { try walk.names(of: $0) } == [["postman", "tool"]])
    }

    @Test func `a traversal of circular dependencies ends`() throws {
        let text = (0..<5).map {
            "Package: p\($0)\nVersion: 1\nArchitecture: all\nDepends: p\(($0 + 1) % 5)\n"
        }
        let (store, outcome) = try filled(text.joined(separator: "\n"))
        #expect(outcome.linkCount == 5)
        let steps = try Walk(store: store).steps(from: [1], along: \.dependsOn)
        #expect(steps == [[2], [3], [4], [5]])
        let back = try Walk(store: store).steps(from: [1], along: \.requiredBy)
        #expect(back == [[5], [4], [3], [2]])
    }

    @Test func `the excerpt has dependencies, maintainers and sections`() throws {
        let store = try ArchiveCommand.open("memory:excerpt relations")
        let excerpt = try PackageList.excerpt
        _ = try Import(store).run(try excerpt.text(), of: excerpt)
        let outcome = try Linking(store).run()
        #expect(outcome.linkCount > 200)
        let start = try package("apache2", store).id
        #expect(try Walk(store: store).steps(from: [start], along: \.dependsOn).count > 2)
        #expect(try Overview(store: store).maintainers().isEmpty == false)
        #expect(try Overview(store: store).sections().first?.hasPrefix("main ") == true)
    }
}
