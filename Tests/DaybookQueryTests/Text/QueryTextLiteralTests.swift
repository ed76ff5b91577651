import DaybookBytes
import DaybookQuery
import Testing

/// Literals get the type of the other operand.
@Suite struct QueryTextLiteralTests {
    /// Returns the literal of a comparison with a property.
    private func value(_ property: String, _ literal: String) throws -> QueryValue {
        let query = try TextQuery.parse(
            "Package where \(property) >= \(literal)", in: try PackageModel.model())
        guard case .compare(_, _, .value(let value), _) = query.definition.condition else {
            Issue.record("\(query)")
            return .null
        }
        return value
    }

    @Test(arguments: [
        ("0", 0), ("1_000_000", 1_000_000), ("-0", 0),
        ("170141183460469231731687303715884105727", Int128.max),
        ("-170141183460469231731687303715884105728", Int128.min),
    ])
    func `whole numbers are exact up to 128 bits`(_ text: String, _ number: Int128) throws {
        #expect(try value("size", text) == .integer(number))
        #expect(try value("price", text) == .integer(number))
    }

    @Test func `fractions get the type of the other operand`() throws {
        #expect(try value("price", "0.10") == .decimal("0.10"))
        #expect(try value("price", "-1.5e-7") == .decimal("-1.5e-7"))
        #expect(
            try value("price", "170141183460469231731687303715884105728")
                == .decimal("170141183460469231731687303715884105728"))
        #expect(try value("ratio", "0.1") == .number(0.1))
        #expect(try value("ratio", "1E3") == .number(1000))
        #expect(
            try value("ratio", "123456789012345678901234567890123456789012")
                == .number(1.2345678901234568e41))
        #expect(try value("size", "0.5") == .number(0.5))
        // 0.1 is not representable as a float.
        #expect(try value("share", "0.1") == .number(Double(Float(0.1))))
        #expect(try value("ratio", "infinity") == .number(.infinity))
        #expect(try value("ratio", "-inf") == .number(-.infinity))
        guard case .number(let number) = try value("ratio", "NaN") else {
            Issue.record("no number")
            return
        }
        #expect(number.isNaN)
    }

    @Test
    func
        `dates, identifiers and bytes have literals, and strings with their format are accepted`()
        throws
    {
        let day: Int128 = 1_769_817_600_000_000_000
        #expect(try value("released", "@2026-01-31") == .moment(day))
        #expect(try value("released", "date '2026-01-31'") == .moment(day))
        #expect(try value("released", "'2026-01-31'") == .moment(day))
        #expect(
            try value("stamp", "@2026-01-31T01:00:00.123456789+01:00")
                == .moment(day + 123_456_789))
        #expect(try value("stamp", "@1969-12-31T23:59:59Z") == .moment(-1_000_000_000))
        let uuid = QueryValue.uuid([
            0x12, 0x3E, 0x45, 0x67, 0xE8, 0x9B, 0x12, 0xD3, 0xA4, 0x56, 0x42, 0x66, 0x14, 0x17,
            0x40, 0x00,
        ])
        #expect(try value("key", "uuid '123E4567-e89b-12d3-a456-426614174000'") == uuid)
        #expect(try value("key", "\"123e4567-E89B-12d3-a456-426614174000\"") == uuid)
        #expect(try value("digest", "x\"00ff 7E\"") == .bytes([0, 255, 126]))
        #expect(try value("digest", "X''") == .bytes([]))
        // Compared with a string, it stays a string.
        #expect(try value("name", "'2026-01-31'") == .text("2026-01-31"))
    }

    @Test func `a partial date covers its whole interval`() throws {
        func range(_ text: String) throws -> (QueryBound?, QueryBound?) {
            let query = try TextQuery.parse(
                "Package where released in \(text)", in: try PackageModel.model())
            guard case .range(_, let lower, let upper) = query.definition.condition else {
                return (nil, nil)
            }
            return (lower, upper)
        }
        let day: Int128 = 1_769_817_600_000_000_000
        let first = QueryBound(.moment(day), isInclusive: true)
        let next = QueryBound(.moment(day + 86_400_000_000_000), isInclusive: false)
        #expect(try range("@2026-01-31") == (first, next))
        #expect(try range("@2026-01-31..<@2026-02-01") == (first, next))
        #expect(
            try range("@2026-01-31T00:00:00Z")
                == (first, QueryBound(.moment(day + 1_000_000_000), isInclusive: false)))
    }

    @Test func `string literals have escapes and both quotation marks`() throws {
        #expect(try value("name", #""""#) == .text(""))
        #expect(try value("name", #"'it is "so"'"#) == .text(#"it is "so""#))
        #expect(
            try value("name", #"'\\ \" \' \` \n\r\t\0 \u{e9} \u{10FFFF}'"#)
                == .text("\\ \" ' ` \n\r\t\0 \u{e9} \u{10FFFF}"))
        // Composed and decomposed characters stay different.
        guard case .text(let text) = try value("name", "'e\u{301}'") else {
            Issue.record("no text")
            return
        }
        #expect(Array(text.unicodeScalars) == ["e", "\u{301}"])
    }

    @Test(arguments: [
        ("size", "170141183460469231731687303715884105728", "128 bits"),
        ("ratio", "1e999", "exceeds the range"),
        ("share", "1e39", "exceeds the range"),
        ("price", "1e10001", "an exponent up to"),
        ("price", "1e-99999999999999999999", "an exponent up to"),
        ("price", String(repeating: "9", count: 500), "400 digits"),
        ("size", "10x", "ends in letters"),
        ("size", "1_", "ends in letters"),
        ("size", "1__0", "ends in letters"),
        ("size", "- x", "a number after '-'"),
        ("size", "2026-01-31", "A date has an '@' before it"),
        ("released", "2026", "a date, in a text such as @2026-01-31"),
        ("released", "@2026-02-30", "Not a date"),
        ("released", "@", "Not a date"),
        ("released", "'tomorrow'", "Not a date"),
        ("released", "date 'x'", "Not a date"),
        ("key", "'123'", "Not a UUID"),
        ("key", "uuid '123E4567-e89b-12d3-a456-42661417400g'", "Not a UUID"),
        ("digest", "x'0'", "two hexadecimal digits"),
        ("digest", "x'0g'", "two hexadecimal digits"),
        ("name", "'abc", "does not end"),
        ("name", "\"abc\n\"", "does not end"),
        ("name", #"'\q'"#, "Unknown escape"),
        ("name", #"'\u{110000}'"#, "Unknown escape"),
        ("name", #"'\u{D800}'"#, "Unknown escape"),
        ("name", #"'\u{41'"#, "Unknown escape"),
        ("name", "'\\", "Unknown escape"),
        ("name", "`abc", "does not end"),
        ("name", "``", "A name is empty"),
    ])
    func `an invalid literal is refused with a correction`(
        _ property: String, _ literal: String, _ message: String
    ) throws {
        let error = try #require(throws: DaybookError.self) { try value(property, literal) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.details["line"] == "1")
    }

    @Test(arguments: [
        "Package order by -size", "Package where size == 5 - 2", "Package where size > > 3",
        "Package where size == 2026>3",
    ])
    func `only a date without its sign gets the advice about dates`(_ text: String) throws {
        let error = try #require(throws: DaybookError.self) {
            _ = try TextQuery.parse(text, in: try PackageModel.model())
        }
        #expect(!error.message.contains("A date has an '@'"), "\(error.message)")
    }
}
