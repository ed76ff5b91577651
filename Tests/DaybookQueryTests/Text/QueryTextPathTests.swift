import DaybookBytes
import DaybookRecords
import DaybookQuery
import Testing

/// Paths in query texts: through embedded values, relations and collections.
@Suite struct QueryTextPathTests {
    private func condition(_ text: String, of entity: String = "Package") throws -> QueryCondition {
        try TextQuery.parse("\(entity) where \(text)", in: try PackageModel.model())
            .definition.condition
    }

    private static func path(_ steps: String...) -> QueryExpression {
        .property(PropertyPath(steps))
    }

    private static func equals(
        _ expression: QueryExpression, _ value: QueryValue
    ) -> QueryCondition { .compare(expression, .equal, .value(value), []) }

    private static let dependencies = PropertyPath(["dependencies"])

    @Test func `paths follow embedded values and to-one relations`() throws {
        #expect(
            try condition("maintainer.home.city == 'Bonn'")
                == Self.equals(Self.path("maintainer", "home", "city"), .text("Bonn")))
        #expect(try condition("id == 7") == Self.equals(Self.path(""), .integer(7)))
        #expect(
            try condition("maintainer.id in (1, 2)")
                == .oneOf(Self.path("maintainer", ""), [.integer(1), .integer(2)], []))
        // A to-one relation means the id of its target.
        #expect(
            try condition("maintainer = 7") == Self.equals(Self.path("maintainer", ""), .integer(7))
        )
    }

    @Test func `names that are keywords or no words are written in backquotes`() throws {
        #expect(try condition("order == 1") == Self.equals(Self.path("order"), .integer(1)))
        #expect(try condition("`any` == 1") == Self.equals(Self.path("any"), .integer(1)))
        #expect(
            try condition("`größe in KiB` == 1")
                == Self.equals(Self.path("größe in KiB"), .integer(1)))
    }

    @Test func `a path through a to-many relation tests any, all or none of the targets`() throws {
        let isNamed = Self.equals(Self.path("name"), .text("libc6"))
        for (words, quantifier) in [
            ("", QueryQuantifier.any), ("any ", .any), ("ALL ", .all), ("none ", .none),
        ] {
            #expect(
                try condition("\(words)dependencies.name == 'libc6'")
                    == .linked(Self.dependencies, quantifier, isNamed))
        }
        #expect(
            try condition("'libc6' = dependencies.name")
                == .linked(Self.dependencies, .any, isNamed))
        #expect(
            try condition("dependencies == 7")
                == .linked(Self.dependencies, .any, Self.equals(Self.path(""), .integer(7))))
        // A to-one relation has at most one target.
        #expect(
            try condition("all maintainer.name = 'Ada'")
                == .linked(
                    PropertyPath(["maintainer"]), .all, Self.equals(Self.path("name"), .text("Ada"))
                ))
    }

    @Test func `a path through several to-many relations nests its quantifiers`() throws {
        let path = Self.path("path")
        let inner = Self.equals(path, .text("/bin"))
        let files = PropertyPath(["files"])
        func expected(_ outer: QueryQuantifier, _ each: QueryQuantifier) -> QueryCondition {
            .linked(Self.dependencies, outer, .linked(files, each, inner))
        }
        #expect(try condition("dependencies.files.path = '/bin'") == expected(.any, .any))
        #expect(try condition("all dependencies.files.path = '/bin'") == expected(.all, .all))
        // None of all files of all of them: no dependency may have any matching file.
        #expect(try condition("none dependencies.files.path = '/bin'") == expected(.none, .any))
    }

    @Test func `a block tests several conditions on one object`() throws {
        let block = QueryCondition.and([
            Self.equals(Self.path("name"), .text("libc6")),
            .compare(Self.path("size"), .greater, .value(.integer(2)), []),
        ])
        #expect(
            try condition("any dependencies (name == 'libc6' and size > 2)")
                == .linked(Self.dependencies, .any, block))
        #expect(
            try condition("not none dependencies(name == 'libc6' and size > 2) and true")
                == .and([.not(.linked(Self.dependencies, .none, block)), .always(true)]))
        #expect(
            try condition("maintainer (age > 30 or home.zip is nil)")
                == .linked(
                    PropertyPath(["maintainer"]), .any,
                    .or([
                        .compare(Self.path("age"), .greater, .value(.integer(30)), []),
                        .isNull(Self.path("home", "zip")),
                    ])))
        #expect(
            try condition("all dependencies (any files (path = path))")
                == .linked(
                    Self.dependencies, .all,
                    .linked(
                        PropertyPath(["files"]), .any,
                        .compare(Self.path("path"), .equal, Self.path("path"), []))))
        #expect(
            try condition("any tags (element hasPrefix 'a' or element in ('b'))")
                == .elements(
                    PropertyPath(["tags"]), .any,
                    .or([
                        .text(.element, .hasPrefix, .value(.text("a")), []),
                        .oneOf(.element, [.text("b")], []),
                    ])))
    }

    @Test func `a quantifier without a condition tests whether targets exist`() throws {
        #expect(
            try condition("none files") == .linked(PropertyPath(["files"]), .none, .always(true)))
        #expect(
            try condition("any maintainer or any tags")
                == .or([
                    .linked(PropertyPath(["maintainer"]), .any, .always(true)),
                    .elements(PropertyPath(["tags"]), .any, .always(true)),
                ]))
    }

    @Test func `collections support contains and conditions on their values and keys`() throws {
        let tags = PropertyPath(["tags"])
        let contains = QueryCondition.elements(tags, .any, Self.equals(.element, .text("x")))
        for text in ["tags contains 'x'", "'x' in tags", "tags == 'x'", "any tags = 'x'"] {
            #expect(try condition(text) == contains)
        }
        #expect(try condition("tags not contains 'x'") == .not(contains))
        #expect(try condition("'x' not in tags") == .not(contains))
        #expect(
            try condition("all tags hasPrefix[c] 'x'")
                == .elements(
                    tags, .all, .text(.element, .hasPrefix, .value(.text("x")), .caseInsensitive)))
        // The operand is converted to the type of the elements.
        #expect(
            try condition("scores contains 0.1")
                == .elements(
                    PropertyPath(["scores"]), .any,
                    Self.equals(.element, .number(Double(Float(0.1))))))
        let labels = PropertyPath(["labels"])
        #expect(
            try condition("labels[\"de\"] == 'gut'")
                == Self.equals(.entry(labels, key: "de"), .text("gut")))
        #expect(
            try condition("none labels.keys in ('de', 'fr')")
                == .keys(labels, .none, .oneOf(.element, [.text("de"), .text("fr")], [])))
        #expect(
            try condition("dependencies.labels.values = 'gut'")
                == .linked(
                    Self.dependencies, .any,
                    .elements(labels, .any, Self.equals(.element, .text("gut")))))
    }

    @Test func `aggregates apply to collections and to-many relations`() throws {
        func compare(
            _ aggregate: QueryAggregate, _ path: [String], of inner: [String]?
        ) -> QueryCondition {
            .compare(
                .aggregate(aggregate, PropertyPath(path), of: inner.map { PropertyPath($0) }),
                .greater, .value(.integer(3)), [])
        }
        #expect(
            try condition("count(dependencies) > 3") == compare(.count, ["dependencies"], of: nil))
        #expect(try condition("3 < COUNT(tags)") == compare(.count, ["tags"], of: nil))
        #expect(try condition("sum(files.bytes) > 3") == compare(.sum, ["files"], of: ["bytes"]))
        #expect(
            try condition("min(dependencies.maintainer.age) > 3")
                == compare(.minimum, ["dependencies"], of: ["maintainer", "age"]))
        #expect(try condition("max(scores) > 3") == compare(.maximum, ["scores"], of: nil))
        #expect(
            try condition("average(files.bytes) > size")
                == .compare(
                    .aggregate(.average, PropertyPath(["files"]), of: PropertyPath(["bytes"])),
                    .greater, Self.path("size"), []))
    }

    @Test func `relations can be followed backwards`() throws {
        let backward = PropertyPath(["<-Package.maintainer"])
        #expect(
            try condition("any <-Package.maintainer (size > 3)", of: "Person")
                == .linked(
                    backward, .any, .compare(Self.path("size"), .greater, .value(.integer(3)), [])))
        #expect(
            try condition("count(<-Package.maintainer) > 3", of: "Person")
                == .compare(
                    .aggregate(.count, backward, of: nil), .greater, .value(.integer(3)), []))
        #expect(
            try condition("maintainer.<-Package.maintainer.name = 'x'")
                == .linked(
                    PropertyPath(["maintainer", "<-Package.maintainer"]), .any,
                    Self.equals(Self.path("name"), .text("x"))))
        // A comparison with a negative number is no backward relation.
        #expect(
            try condition("age<-3", of: "Person")
                == .compare(Self.path("age"), .less, .value(.integer(-3)), []))
    }

    @Test func `selected columns are parsed with their names`() throws {
        let query = try TextQuery.parse(
            "Package select name, maintainer.home.city as town, count( files ), id limit 1",
            in: try PackageModel.model())
        guard case .columns(let columns) = query.output else {
            Issue.record("\(query.output)")
            return
        }
        #expect(columns.map(\.name) == ["name", "town", "count( files )", "id"])
        #expect(
            columns.map(\.expression) == [
                Self.path("name"), Self.path("maintainer", "home", "city"),
                .aggregate(.count, PropertyPath(["files"]), of: nil), Self.path(""),
            ])
    }
}
