#if Macros
import DaybookModel
import Testing

/// Vector indexes in attributes and comments.
@Suite struct VectorTests {
    @Test(arguments: [
        ("@Vector(dimensions: 2) var a: [Float] = []", ".vector(dimensions: 2)"),
        (
            "@Vector(dimensions: size, metric: VectorMetric.cosine) var a: [Float]?",
            ".vector(dimensions: size, metric: VectorMetric.cosine)"
        ),
        ("@Vector(dimensions: 2) var a: Embedding", ".vector(dimensions: 2)"),
        (
            "// objectbox:hnswIndex: dimensions=3, distanceType=\"euclidean\"\nvar a: [Float]?",
            ".vector(dimensions: 3, metric: .euclidean)"
        ),
    ])
    func `vector indexes are attributes of their properties`(member: String, code: String) throws {
        let read = try ReadSource("@Entity struct A {\nvar id: Id = 0\n\(member)\n}")
        #expect(read.problems == [])
        let model = try #require(read.model)
        let text = EntityCode(model).extensionText(statingConformance: true)
        #expect(text.contains(", \(code)),"))
    }

    @Test(arguments: ["Float", "[Double]", "[String: Float]", "String?"])
    func `other types cannot have a vector index`(type: String) throws {
        let read = try ReadSource(
            "@Entity struct A {\nvar id: Id = 0\n@Vector(dimensions: 2) var a: \(type)\n}")
        #expect(
            read.problems == [
                "3:28 'a' cannot have '@Vector': it requires '[Float]', and its type is '\(type)'"
            ])
    }

    @Test func `embedded types have no vector index`() throws {
        let read = try ReadSource(
            "@Embedded struct A {\n@Vector(dimensions: 2) var a: [Float]\n}")
        #expect(read.problems.count == 1)
    }

    @Test func `two spellings must agree`() throws {
        let read = try ReadSource(
            "@Entity struct A {\nvar id: Id = 0\n// objectbox:hnswIndex: dimensions=3\n"
                + "@Vector(dimensions: 2) var a: [Float]\n}")
        #expect(read.problems.count == 1)
    }
}
#endif
