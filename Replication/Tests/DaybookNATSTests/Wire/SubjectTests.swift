import Testing

@testable import DaybookNATS

@Suite struct SubjectTests {
    @Test(arguments: ["a", "a.b.c", "db.Store-1_x.log", "$JS.API.INFO", "日本.ü"])
    func `usual subjects are accepted`(subject: String) throws {
        #expect(throws: Never.self) { try NATSSubject.checkPublish(subject) }
        #expect(throws: Never.self) { try NATSSubject.checkSubscribe(subject) }
    }

    @Test(arguments: ["*", "a.*", "*.b", "a.>", ">"])
    func `wildcards are accepted for subscriptions only`(subject: String) throws {
        #expect(throws: Never.self) { try NATSSubject.checkSubscribe(subject) }
        #expect(throws: NATSError.self) { try NATSSubject.checkPublish(subject) }
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "a b", "a\r\nPUB x 0", "a\tb", "a\u{0}", ">.a", "a*", "a.b>",
        "a..\u{301}b",
        String(repeating: "x", count: 1025),
    ])
    func `subjects that break the protocol are refused`(subject: String) {
        let error = #expect(throws: NATSError.self) { try NATSSubject.checkSubscribe(subject) }
        #expect(error?.code == .invalidArgument)
        #expect(throws: NATSError.self) { try NATSSubject.checkPublish(subject) }
    }

    @Test(arguments: ["", "a.b", "a b", "*", ">", "a/b", "a\\b", "a\r\n"])
    func `names that are not one token are refused`(name: String) {
        let error = #expect(throws: NATSError.self) {
            try NATSSubject.checkName(name, of: "stream")
        }
        #expect(error?.code == .invalidArgument)
    }
}
