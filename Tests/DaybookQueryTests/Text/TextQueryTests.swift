import DaybookBytes
import DaybookRecords
import DaybookQuery
import Testing

/// Parsing of query texts.
@Suite struct TextQueryTests {
    private func parse(_ text: String) throws -> TextQuery {
        try TextQuery.parse(text, in: try PackageModel.model())
    }

    private func condition(_ text: String) throws -> QueryCondition {
        try parse("Package where " + text).definition.condition
    }

    private static func path(_ steps: String...) -> QueryExpression {
        .property(PropertyPath(steps))
    }

    private static let name = path("name")
    private static let size = path("size")

    private static func equals(
        _ expression: QueryExpression, _ value: QueryValue, _ options: StringOptions = []
    ) -> QueryCondition { .compare(expression, .equal, .value(value), options) }

    @Test func `a complete query is parsed`() throws {
        let query = try parse(
            """
            Package where section == "libs" and size > 1000000
              order by size desc, name limit 10 offset 5
            """)
        #expect(query.entityName == "Package")
        #expect(query.output == .objects)
        #expect(
            query.definition.condition
                == .and([
                    Self.equals(Self.path("section"), .text("libs")),
                    .compare(Self.size, .greater, .value(.integer(1_000_000)), []),
                ]))
        var first = QueryOrder(.expression(Self.size))
        first.isDescending = true
        #expect(query.definition.orders == [first, QueryOrder(.expression(Self.name))])
        #expect(query.definition.limit == 10)
        #expect(query.definition.offset == 5)
    }

    @Test func `an entity alone selects all its objects, and clauses may be in any order`() throws {
        #expect(try parse("Package").definition == QueryDefinition())
        let query = try parse(
            "Package LIMIT 3 distinct by section, maintainer.home.city Order By order NULLS last")
        #expect(query.definition.limit == 3)
        #expect(
            query.definition.distinct
                == [PropertyPath(["section"]), PropertyPath(["maintainer", "home", "city"])])
        var order = QueryOrder(.expression(Self.path("order")))
        order.areNullsLast = true
        #expect(query.definition.orders == [order])
    }

    @Test func `total, score and count are properties if a property has that name`()
        throws
    {
        let names = ["count", "relevance", "nan", "infinity", "sum"]
        let model = QueryModel(
            try PackageModel.schema([
                EntityDeclaration(
                    name: "Odd", fields: names.map { FieldDeclaration(name: $0, type: .double) })
            ]))
        func property(_ name: String) -> QueryExpression { .property(PropertyPath([name])) }
        for name in names {
            let query = try TextQuery.parse(
                "Odd where \(name) == 1 order by \(name) select \(name)", in: model)
            #expect(
                query.definition.condition
                    == .compare(property(name), .equal, .value(.number(1)), []))
            #expect(query.definition.orders == [QueryOrder(.expression(property(name)))])
            #expect(
                query.output
                    == .columns([
                        TextQuery.Column(name: name, expression: property(name), type: .double)
                    ]))
        }
    }

    @Test func `orders have directions, nulls, case, counts and relevance`() throws {
        let orders = try parse(
            "Package where name matches \"x\" order by relevance, name case sensitive nulls zero"
                + " descending, count(files) asc, maintainer"
        ).definition.orders
        var second = QueryOrder(.expression(Self.name))
        second.isCaseSensitive = true
        second.areNullsZero = true
        second.isDescending = true
        #expect(
            orders == [
                QueryOrder(.relevance), second,
                QueryOrder(
                    .expression(.aggregate(.count, PropertyPath(["files"]), of: nil))),
                QueryOrder(.expression(Self.path("maintainer", ""))),
            ])
    }

    @Test func `and binds more tightly than or, and not more tightly than both`() throws {
        let (a, b, c) = (
            Self.equals(Self.size, .integer(1)), Self.equals(Self.size, .integer(2)),
            Self.equals(Self.size, .integer(3))
        )
        #expect(try condition("size = 1 or size = 2 and size = 3") == .or([a, .and([b, c])]))
        #expect(try condition("(size = 1 or size = 2) and size = 3") == .and([.or([a, b]), c]))
        #expect(try condition("not size = 1 and size = 2") == .and([.not(a), b]))
        #expect(
            try condition("!(size = 1 && size = 2) || size = 3") == .or([.not(.and([a, b])), c]))
        #expect(try condition("not not size = 1") == .not(.not(a)))
        #expect(try condition("true and not false") == .and([.always(true), .not(.always(false))]))
    }

    @Test(arguments: [
        ("==", QueryComparison.equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual),
        ("<", .less), ("<=", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual),
    ])
    func `each comparison has its operators and accepts swapped operands`(
        _ sign: String, _ comparison: QueryComparison
    ) throws {
        let expected = QueryCondition.compare(Self.size, comparison, .value(.integer(-7)), [])
        #expect(try condition("size \(sign) -7") == expected)
        #expect(try condition("size\(sign)-7") == expected)
        let turned = ["<": ">", ">": "<", "<=": ">=", ">=": "<="][sign] ?? sign
        #expect(try condition("-7 \(turned) size") == expected)
        #expect(
            try condition("size \(sign) order")
                == .compare(Self.size, comparison, Self.path("order"), []))
    }

    @Test(arguments: [
        ("hasPrefix", TextTest.hasPrefix), ("STARTSWITH", .hasPrefix), ("beginswith", .hasPrefix),
        ("hasSuffix", .hasSuffix), ("endsWith", .hasSuffix), ("contains", .contains),
        ("like", .like),
    ])
    func `each string test has its words and options`(_ word: String, _ test: TextTest) throws {
        func expected(_ options: StringOptions) -> QueryCondition {
            .text(Self.name, test, .value(.text("Li\"b'\n\u{1F600}")), options)
        }
        let literal = #""Li\"b'\n\u{1f600}""#
        #expect(try condition("name \(word) \(literal)") == expected([]))
        #expect(try condition("name \(word)[c] \(literal)") == expected(.caseInsensitive))
        #expect(try condition("name \(word) [D] \(literal)") == expected(.diacriticInsensitive))
        #expect(
            try condition("name not \(word)[cd] \(literal)")
                == .not(expected([.caseInsensitive, .diacriticInsensitive])))
        #expect(
            try condition("'libc6' \(word) name")
                == .text(.value(.text("libc6")), test, Self.name, []))
    }

    @Test func `options may follow comparisons and lists`() throws {
        #expect(
            try condition("name ==[cd] 'x'")
                == Self.equals(Self.name, .text("x"), [.caseInsensitive, .diacriticInsensitive]))
        #expect(
            try condition("name in[c] ('x', 'y')")
                == .oneOf(Self.name, [.text("x"), .text("y")], .caseInsensitive))
    }

    @Test func `lists, ranges and nil are parsed`() throws {
        #expect(try condition("size in ()") == .oneOf(Self.size, [], []))
        #expect(
            try condition("section not in ('a', nil)")
                == .not(.oneOf(Self.path("section"), [.text("a"), .null], [])))
        func range(_ last: Int128, _ isInclusive: Bool) -> QueryCondition {
            .range(
                Self.size, lower: QueryBound(.integer(1), isInclusive: true),
                upper: QueryBound(.integer(last), isInclusive: isInclusive))
        }
        #expect(try condition("size in 1...9") == range(9, true))
        #expect(try condition("size in 1 ..< 9") == range(9, false))
        #expect(try condition("size not in 1..<9") == .not(range(9, false)))
        #expect(
            try condition("size between 1 and 9 and true") == .and([range(9, true), .always(true)]))
        #expect(throws: Never.self) { try condition("size in 9..<9 or size between 9 and 1") }
        let isNull = QueryCondition.isNull(Self.path("section"))
        for text in ["section is nil", "section is NULL", "section == nil", "nil = section"] {
            #expect(try condition(text) == isNull)
        }
        for text in ["section is not nil", "section != null", "nil <> section"] {
            #expect(try condition(text) == .not(isNull))
        }
        #expect(try condition("labels is nil") == .isNull(Self.path("labels")))
        #expect(try condition("maintainer is nil") == .isNull(Self.path("maintainer", "")))
        #expect(
            try condition("ratio not near -1.5 within 1e-2")
                == .not(.near(Self.path("ratio"), -1.5, tolerance: 0.01)))
        #expect(
            try condition("name matches 'big sma*'")
                == .matches(PropertyPath(["name"]), "big sma*"))
        for test in WordTest.allCases {
            #expect(
                try condition("name matches \(test.rawValue.uppercased()) 'big red'")
                    == .matches(PropertyPath(["name"]), "big red", test))
        }
    }

    @Test func `a Boolean property needs no comparison`() throws {
        let isEssential = Self.equals(Self.path("isEssential"), .bool(true))
        #expect(try condition("isEssential") == isEssential)
        #expect(
            try condition("not isEssential and isEssential")
                == .and([.not(isEssential), isEssential]))
        #expect(
            try condition("maintainer.isActive or dependencies.isEssential")
                == .or([
                    Self.equals(Self.path("maintainer", "isActive"), .bool(true)),
                    .linked(PropertyPath(["dependencies"]), .any, isEssential),
                ]))
    }
}
