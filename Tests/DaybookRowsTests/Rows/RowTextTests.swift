import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// The text of a value.
@Suite struct RowTextTests {
    @Test func `a text of a value is read as the same value`() throws {
        let (source, target) = (try Exchanged(), try Exchanged())
        try source.store.box(for: Badge.self).put(
            Badge(
                code: "a\n\"b\"",
                made: NanosecondDate(Date(timeIntervalSinceReferenceDate: 0.123_456_789)),
                extra: ["x": [1, 2], "": []], samples: [0.1, nil, .infinity, -0.0],
                number: .max, isUsed: true, homes: [Home(city: "Oslo", place: Spot()), Home()]))
        var cat = Contact.cat
        (cat.boss, cat.friends) = (nil, nil)
        try source.contacts.put([cat, Contact(id: 7, email: "")])
        for name in ["Badge", "Contact"] {
            let (rows, copies) = (
                try source.store.rows(of: name), try target.store.rows(of: name)
            )
            for row in try rows.all() {
                var values: [String: RowValue] = [:]
                for (property, value) in zip(row.names, row.values) where !value.isNull {
                    values[property] = try copies.value(of: property, fromText: value.text)
                }
                let id = try copies.put(values)
                #expect(try copies.get(id)?.values == row.values)
            }
        }
    }

    @Test func `a value has the text of a CSV field`() {
        let date = RowValue.date(nanoseconds: 1_500_000_000)
        let uuid = RowValue.uuid(Array(0..<16))
        for (value, text) in [
            (.null, ""), (true, "true"), (.integer(-7), "-7"), (.number(0.5), "0.5"),
            (.number(-.infinity), "-Infinity"), (.decimal("1.50"), "1.50"), ("a\"b", "a\"b"),
            (.bytes([255, 0]), "/wA="), (uuid, "00010203-0405-0607-0809-0A0B0C0D0E0F"),
            (date, "1970-01-01T00:00:01.500Z"), (["https://x", nil, 1], #"["https://x",null,1]"#),
            (["b": [date], "a": .bytes([])], #"{"a":"","b":["1970-01-01T00:00:01.500Z"]}"#),
        ] as [(RowValue, String)] {
            #expect(value.text == text)
            #expect(value.text(bytesMax: 1000) == (text, false))
        }
    }

    @Test func `a long text is cut between characters, without the rest of the value`() {
        #expect(RowValue.text("aé🙂").text(bytesMax: 5) == ("aé", true))
        #expect(RowValue.text("aé🙂").text(bytesMax: 7) == ("aé🙂", false))
        #expect(RowValue.text("ab").text(bytesMax: 0) == ("", true))
        #expect(
            RowValue.bytes(Array(repeating: 0, count: 900)).text(bytesMax: 8) == ("AAAAAAAA", true))
        let deep = RowValue.list([RowValue](repeating: ["a": "é"], count: 1_000_000))
        #expect(deep.text(bytesMax: 8) == (#"[{"a":""#, true))
        #expect(deep.text(bytesMax: 9) == (#"[{"a":"é"#, true))
        #expect(RowValue.list([1, 2]).text(bytesMax: 5) == ("[1,2]", false))
        #expect(RowValue.list([1, 2]).text(bytesMax: 4) == ("[1,2", true))
    }
}
