import DaybookBytes
import DaybookRecords
import DaybookQuery
import Testing

/// Parse errors point at the location and suggest a correction.
@Suite struct QueryTextErrorTests {
    private func failure(_ text: String) throws -> DaybookError {
        let model = try PackageModel.model()
        return try #require(throws: DaybookError.self) { try TextQuery.parse(text, in: model) }
    }

    @Test func `an error shows its line with a marker under the location`() throws {
        let error = try failure("Package\n  where size == order by size\n  limit 3")
        #expect(
            error.message == """
                Expected 'and', 'or', 'order', 'limit', 'offset', 'distinct', 'select', 'group', \
                'having' or the end, but found 'by'. (line 2, column 23)
                      where size == order by size
                                          ^^
                """)
        #expect(error.details == ["line": "2", "column": "23", "offset": "30"])
    }

    @Test
    func `long lines are truncated around the location, and control characters are not printed`()
        throws
    {
        let error = try failure(
            "Package where name == '" + String(repeating: "字", count: 200)
                + "\u{1B}[2J\t\u{202E}' ?"
                + String(repeating: "x", count: 200))
        let lines = error.message.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(!error.message.unicodeScalars.contains("\u{1B}"))
        #expect(!error.message.unicodeScalars.contains("\t"))
        #expect(!error.message.unicodeScalars.contains("\u{202E}"))
        #expect(lines[1].hasPrefix("    …字") && lines[1].hasSuffix("x…"))
        // Wide characters occupy two columns in the line above.
        let before = lines[1].prefix { $0 != "?" }
        #expect(lines[2].count == DisplayWidth.of(String(before)) + 1)
        #expect(lines[2].hasSuffix(" ^"))
    }

    @Test(arguments: [
        ("", 1, "Expected the name of an entity (the store has: File, Package, Person)"),
        (
            "Pakage", 1,
            "There is no entity 'Pakage'. There are: File, Package, Person. Did you mean 'Package'?"
        ),
        ("package", 1, "Did you mean 'Package'?"),
        ("Address", 1, "no objects of its own"),
        ("Visit", 1, "events, not objects"),
        ("Package wher size = 1", 9, "Did you mean 'where'?"),
        ("Package size = 1", 9, "Expected 'where', 'order'"),
        ("Package where", 14, "Expected a property, or a literal"),
        (
            "Package where size", 19,
            "Expected a comparison such as '==' or 'in' after 'size', but the query ends"
        ),
        (
            "Package where szie = 1", 15,
            "Package has no 'szie'. It has: `any`, `größe in KiB`, dependencies, digest, files, "
        ),
        ("Package where szie = 1", 15, "Did you mean 'size'?"),
        ("Package where Size = 1", 15, "Did you mean 'size'?"),
        (
            "Package where maintainer.nmae = 1", 26,
            "It has: age, home, id, isActive, name, <-Package.maintainer. Did you mean 'name'?"
        ),
        ("Package where maintainer.home.town = 1", 31, "Address has no 'town'"),
        ("Package where size.x = 1", 15, "'size' is of type int64 and has no members"),
        ("Package where tags.x = 1", 15, "'tags' is of type list<string> and has no members"),
        ("Package where labels.x = 1", 22, "Expected 'keys' or 'values' of the map 'labels'"),
        ("Package where labels.keys.x = 1", 15, "has no members"),
        ("Package where id.x = 1", 15, "'id' is an id"),
        ("Package where size =", 21, "Expected a property, or a literal"),
        ("Package where size == 1 nad true", 25, "Did you mean 'and'?"),
        ("Package where size hasprefx 'a'", 20, "Did you mean 'hasPrefix'?"),
        ("Package where size not 'a'", 24, "Expected a test such as 'in' after 'not'"),
        ("Package where size === 1", 22, "Expected a property"),
        ("Package where size ~ 1", 20, "'~' has no meaning here"),
        ("Package where (size = 1", 24, "Expected 'and', 'or' or ')'"),
        ("Package where size = 1)", 23, "but found ')'"),
        ("Package where size in 1", 24, "'...' or '..<'"),
        ("Package where size in (1", 25, "Expected ')'"),
        ("Package where size in (1,)", 26, "Expected a literal"),
        ("Package where size in (order)", 24, "Expected a literal"),
        ("Package where size in order", 23, "Expected values like (1, 2, 3)"),
        ("Package where size in 9...1", 23, "The range ends before it begins"),
        ("Package where size not in 9 ..< 1", 27, "'between … and …', which accepts any"),
        ("Package where ratio in 1.5...1", 24, "The range ends before it begins"),
        ("Package where name in 'b'..<'a'", 23, "The range ends before it begins"),
        ("Package where size between 1", 29, "Expected 'and'"),
        ("Package where size between nil and 1", 28, "A range has two ends"),
        ("Package where size is 1", 23, "Expected 'nil' after 'is'"),
        ("Package where name like[x] 'a'", 25, "Expected 'c' for case"),
        ("Package where name like[c 'a'", 27, "Expected ']'"),
        ("Package where name matches name", 28, "Expected words in quotation marks"),
        ("Package where ratio near 1", 27, "Expected 'within'"),
        ("Package where ratio near 'x' within 1", 26, "Expected a number"),
        ("Package where any size = 1", 19, "'size' is one value"),
        ("Package where any 1 = 1", 19, "'any' must be followed by a relation or a collection"),
        ("Package where any (size = 1)", 19, "Expected a property"),
        ("Package where size (order = 1)", 15, "'size' is one value, and a block"),
        ("Package where all files", 24, "Expected a comparison"),
        ("Package where files", 20, "Expected a comparison"),
        ("Package where files is nil", 15, "write 'none files'"),
        ("Package where any files.path = name", 32, "compare with a literal, or write a block"),
        ("Package where any dependencies.size > count(files)", 39, "or write a block"),
        ("Package where name = files.path", 22, "leads to many objects"),
        ("Package where any tags contains 'x'", 19, "remove 'any', 'all' or 'none'"),
        ("Package where any tags (name = 'x')", 25, "Expected 'element'"),
        ("Package where element = 'x'", 15, "Package has no 'element'"),
        ("Package where count(size) > 1", 21, "'count' applies to a collection"),
        ("Package where sum(files) > 1", 19, "Name the property for 'sum'"),
        ("Package where count(dependencies.files) > 1", 21, "one relation"),
        ("Package where sum(dependencies.files.bytes) > 1", 19, "not through several"),
        ("Package where max(labels.keys) > 1", 19, "use a shorter path"),
        ("Package where count(files > 1", 27, "Expected ')'"),
        ("Package where <-Order.x = 1", 15, "Package has no '<-Order.x'"),
        ("Package where <-5 = 1", 17, "Expected an entity with its relation"),
        ("Package order size", 15, "Expected 'by' after 'order'"),
        ("Package order by 5", 18, "Expected the name of a property"),
        ("Package order by files.path", 18, "write count(…), min(…) or max(…)"),
        ("Package order by labels.keys", 18, "not a single value"),
        ("Package order by size nulls", 28, "Expected 'first', 'last' or 'zero'"),
        ("Package order by size case", 27, "Expected 'sensitive'"),
        ("Package order by size, ", 24, "Expected the name of a property"),
        ("Package limit x", 15, "Expected an integer after 'limit'"),
        ("Package limit -1", 15, "Expected an integer"),
        ("Package limit 1.5", 15, "Expected an integer"),
        ("Package limit 99999999999999999999", 15, "Expected an integer"),
        ("Package limit 1 limit 2", 17, "'limit' occurs twice"),
        ("Package distinct labels['a']", 18, "Name a property here"),
        ("Package select name as 5", 24, "Expected a name after 'as'"),
        ("Package select name, count", 22, "The selection mixes values"),
        ("Package select sum(name)", 16, "not a number"),
        ("Package select sum(tags)", 16, "no sum of such values"),
        ("Package order by sum(tags)", 18, "no sum of such values"),
        ("Package order by size group by section", 23, "must come before 'select' and 'order by'"),
        ("Package select size group by section", 21, "must come before 'select' and 'order by'"),
        ("Package select name, size as name", 22, "has this name already"),
        ("Package group by name select name, name", 36, "has this name already"),
        ("Package select sum(size", 24, "Expected ')'"),
        ("Package group section", 15, "Expected 'by' after 'group'"),
        ("Package group by files", 18, "leads to many objects"),
        ("Package select name group by name", 21, "'group by' must come before"),
        ("Package having count > 1", 9, "'having' applies to groups"),
        ("Package group by section select name", 33, "'name' is a value of each object"),
        ("Package group by section having name = 'x'", 33, "'name' is a value of each object"),
        ("Package group by section having count", 38, "Expected a comparison such as '>'"),
        ("Package group by section having count > size", 41, "Expected a literal"),
        ("Package group by section having count > 'x'", 41, "Here, a number cannot be"),
        ("Package group by section having 1 = section", 33, "Here, a string cannot be"),
        (
            "Package group by section having section like 'x'", 41,
            "Expected a comparison such as '>'"
        ),
        ("Package group by section having not (count > 1", 47, "Expected 'and', 'or' or ')'"),
        ("Package group by section having count in (1", 44, "Expected ','"),
        ("Package group by section order by section nulls zero", 43, "Groups are ordered by"),
    ])
    func `an error names the location and the expected text`(
        _ text: String, _ column: Int, _ message: String
    ) throws {
        let error = try failure(text)
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.details["column"] == "\(column)", "\(error.message)")
    }

    @Test(arguments: [
        ("true and size == 'x' or true", "size == 'x'", "compared"),
        ("not name < 5", "name < 5", "compared"),
        ("any dependencies (section = nil and key = 5)", "key = 5", "compared"),
        (
            "any tags (element = 'x' or element > 5)", "tags (element = 'x' or element > 5)",
            "compared"
        ),
        ("tags contains 5", "tags contains 5", "compared"),
        ("size hasPrefix 'x'", "size hasPrefix 'x'", "is for strings"),
        ("size ==[c] 5", "size ==[c] 5", "case"),
        ("ratio near 1 within -1", "ratio near 1 within -1", "not negative"),
        ("name matches '...'", "name matches '...'", "no words"),
        ("size in (1, 'x')", "size in (1, 'x')", "compared"),
        ("sum(tags) > 5", "sum(tags) > 5", "no sum of such values"),
    ])
    func `an error for incompatible parts marks all of them`(
        _ condition: String, _ part: String, _ message: String
    ) throws {
        let error = try failure("Package where \(condition)")
        #expect(error.message.contains(message), "\(error.message)")
        let lines = error.message.split(separator: "\n")
        try #require(lines.count == 3)
        let marked = zip(lines[1], lines[2]).filter { $0.1 == "^" }.map(\.0)
        #expect(String(marked) == part)
    }

    @Test func `the length and the depth of a query text are limited`() throws {
        let model = try PackageModel.model()
        func nested(_ count: Int, _ open: String, _ close: String) -> String {
            "Package where " + String(repeating: open, count: count) + "true"
                + String(repeating: close, count: count)
        }
        for (open, close) in [("(", ")"), ("not ", ""), ("!", ""), ("any dependencies (", ")")] {
            let fits = open.contains("any") ? 32 : 64
            #expect(throws: Never.self) {
                try TextQuery.parse(nested(fits, open, close), in: model)
            }
            for count in [fits + 1, 3_000] {
                let error = try failure(nested(count, open, close))
                #expect(error.message.hasPrefix("The query is nested deeper than 64"))
            }
        }
        let path = String(repeating: "dependencies.", count: 5_000)
        #expect(try failure("Package where \(path)size = 1").message.contains("nested deeper"))
        let long = "Package" + String(repeating: " ", count: 65_530)
        #expect(try failure(long).message.hasPrefix("The query has 65537 bytes; the maximum is"))
        #expect(try TextQuery.parse(String(long.dropLast()), in: model).entityName == "Package")
        let list = Array(repeating: "1", count: 30_000).joined(separator: ",")
        guard
            case .oneOf(_, let values, _) =
                try TextQuery.parse("Package where size in (\(list))", in: model).definition
                .condition
        else { return #expect(Bool(false)) }
        #expect(values.count == 30_000)
    }
}
