import Testing

@testable import DaybookS3

@Suite struct XMLTests {
    @Test func `a document becomes a tree`() throws {
        let root = try XMLNode.parse(
            Array(
                "\n <?xml version=\"1.0\"?><a xmlns=\"u\"><b>x&amp;y</b><b><![CDATA[<z>]]></b></a>"
                    .utf8))
        #expect(root.name == "a")
        #expect(root.text(of: "b") == "x&y")
        #expect(root.children.map(\.text) == ["x&y", "<z>"])
    }

    @Test(arguments: [
        "", " ", "<", "<a", "<a>", "<a></b>", "a", "{}", "<a>\u{0}</a>", "<a>&x;</a>", "<a/><b/>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<?xml version=\"1.0\"?>",
        String(repeating: "<a>", count: 40),
        String(repeating: "<a>", count: 17)
            + String(repeating: "</a>", count: 17),
        "<a>&#xD800;</a>", "<a>&#+5;</a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&amp</a>", "<a b/>",
        "<a b=c/>", "<a b='c/>", "<a b=''c=''/>", "<a b='<'/>", "<1/>", "<a></a", "<a/>x", "x<a/>",
        "<!-- <a/>", "<a><![CDATA[</a>", "<![CDATA[]]>", "</a>", "<a><b></a></b>", "< a/>",
        "<a>" + String(repeating: "<b/>", count: 100_000) + "</a>",
    ])
    func `rubbish is an error`(_ text: String) {
        #expect(throws: XMLNode.Malformed.self) { try XMLNode.parse(Array(text.utf8)) }
    }

    @Test func `references, comments and instructions are understood`() throws {
        let text =
            "\u{FEFF}<?x y?><!-- <b> --><a b = '>' c=\"/>\"><d e=''/>&#228;&#xe4;"
            + "&lt;<f ></f >\n</a>\n"
        let root = try XMLNode.parse(Array(text.utf8))
        #expect(root.text == "ää<\n")
        #expect(root.children.map(\.name) == ["d", "f"])
    }

    @Test func `changed and shortened documents do not trap`() {
        var generator = SeededGenerator(state: 1)
        let document = Array(Self.list.utf8)
        var failureCount = 0
        for round in 0..<2000 {
            var bytes = document
            if round % 2 == 0 {
                bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
            }
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let index = bytes.indices.randomElement(using: &generator) ?? 0
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            if (try? ListDocument(bytes)) == nil { failureCount += 1 }
            _ = S3Failure(status: 400, body: bytes, region: nil)
        }
        // Each shortened document is incomplete.
        #expect(failureCount >= 1000)
    }

    @Test func `a list is read`() throws {
        let page = try ListDocument(Array(Self.list.utf8))
        #expect(
            page.objects == [
                ListDocument.Object(key: "a b", sizeBytes: 3),
                ListDocument.Object(key: "c+", sizeBytes: 0),
            ])
        #expect(page.isTruncated)
        #expect(page.continuationToken == "t")
    }

    @Test(arguments: [
        ("<Size>3</Size>", "<Size>-3</Size>"), ("<Size>3</Size>", ""),
        ("<Size>3</Size>", "<Size>99999999999999999999</Size>"), ("<Key>a+b</Key>", ""),
        ("a+b", "%FF"), ("<IsTruncated>true</IsTruncated>", ""), ("ListBucketResult", "Error"),
    ])
    func `a list with missing or invalid parts is an error`(_ old: String, _ new: String) {
        let text = Self.list.replacing(old, with: new)
        #expect(text != Self.list)
        #expect(throws: XMLNode.Malformed.self) { try ListDocument(Array(text.utf8)) }
    }

    @Test func `names in a failure are short and plain`() {
        let body =
            "<Error><Code>a b</Code><Region>\(String(repeating: "r", count: 65))</Region></Error>"
        let failure = S3Failure(status: 403, body: Array(body.utf8), region: nil)
        #expect(failure.code == nil)
        #expect(failure.region == nil)
    }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
        <NextContinuationToken>t</NextContinuationToken>
        <Contents><Key>a+b</Key><Size>3</Size></Contents>
        <Contents><Key>c%2B</Key><Size>0</Size></Contents>
        </ListBucketResult>
        """
}

/// Random numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
