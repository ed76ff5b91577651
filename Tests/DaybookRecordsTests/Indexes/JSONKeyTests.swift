import DaybookBytes
import DaybookRecords
import DaybookTesting
import Testing

@Suite struct JSONKeyTests {
    private func key(_ text: String) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        JSONKey.append(Array(text.utf8).span, to: &writer)
        return writer.bytes
    }

    /// Texts of equal values, in the order of the values.
    private static let ordered: [[String]] = [
        ["null", " null\n", ""], ["false"], ["true"],
        [#"{"$double":"fff0000000000000"}"#, #"{"$float":"ff800000"}"#], ["-1e300"], ["-10"],
        ["-1.5", #"{"$float":-1.5}"#], ["-1"],
        ["0", "-0", "0.0", "0e5", #"{"$float":-0.0}"#, #"{"$decimal128":"0"}"#], ["1e-300"],
        ["0.1", "1e-1", #"{"$float":0.1}"#, #"{ "$decimal128" : "0.10" }"#],
        ["1", "1.0", "10e-1", #"{"$decimal128":"1"}"#], ["9"], ["10"],
        ["9007199254740992"], ["9007199254740993"],
        ["18446744073709551616", #"{"$decimal128":"18446744073709551616"}"#],
        [#"{"$float":"7f800000"}"#, #"{"$double":"7ff0000000000000"}"#],
        [#"{"$float":"7fc01234"}"#, #"{"$double":"fff8000000000000"}"#, #"{"$decimal128":"NaN"}"#],
        [#""""#], [#""\u0000""#], [#""\u0000a""#], [#""A""#], [#""a""#, #""\u0061""#],
        [#""ab""#], [#""é""#, #""\u00E9""#], [#""𝄞""#, #""\uD834\uDD1E""#],
        [#"{"$data":""}"#], [#"{"$data":"AAE="}"#], [#"{"$data":"AQ=="}"#],
        [#"{"$date":-63114076800.0}"#], [#"{"$date":0.5}"#, #"{"$date":5e-1}"#],
        [#"{"$date":"7ff0000000000000"}"#],
        [#"{"$objectId":"0123456789abcdef01234567"}"#],
        [#"{"$objectId":"0123456789abcdef01234568"}"#],
        [#"{"$uuid":"00000000-0000-0000-0000-000000000001"}"#],
        ["[]", "[ ]"], ["[null]"], ["[1]"], ["[1,1]", "[ 1.0,\n1 ]"], ["[1,[]]"], ["[2]"],
        ["{}"], [#"{"$data":1}"#], [#"{"$date":1,"a":1}"#, #"{"a":1,"$date":1}"#],
        [#"{"$double":1.5}"#],
        [#"{"a":1}"#], [#"{"a":1,"b":2}"#, #"{ "b":2, "a":1.0 }"#], [#"{"a":2}"#], [#"{"b":0}"#],
    ]

    @Test func `keys of JSON sort like the values, whatever the notation`() {
        let keys = Self.ordered.map { $0.map(key) }
        for (index, group) in keys.enumerated() {
            #expect(Set(group).count == 1, "\(Self.ordered[index])")
            for other in keys[(index + 1)...] {
                #expect(
                    group[0].lexicographicallyPrecedes(other[0]), "\(Self.ordered[index])")
                #expect(!other[0].starts(with: group[0]), "\(Self.ordered[index])")
            }
        }
    }

    @Test func `texts that are not JSON have distinct keys after all values`() {
        let texts = [
            "nul", "[", "[1,]", "{", "{\"a\"}", "1 2", "\"a", "\"\\x\"", "+1", ".", "-", "{a:1}",
            "[1", "\u{0}", "tru", "1e99999999999",
        ]
        let last = key(#"{"zz":[]}"#)
        for text in texts { #expect(last.lexicographicallyPrecedes(key(text)), "\(text)") }
        #expect(Set(texts.map(key)).count == texts.count)
    }

    @Test func `a value that is nested deeply, or is damaged, has a key`() {
        let deep = { (count: Int) in
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        let unreadable = key("nul")[0]
        #expect(key(deep(JSONKey.depthMax))[0] < unreadable)
        #expect(key(deep(JSONKey.depthMax + 2))[0] == unreadable)
        #expect(key(deep(100_000))[0] == unreadable)
        #expect(key(String(repeating: #"{"a":"#, count: 100_000))[0] == unreadable)
        let whole = Array(#"{"a":[1.5,{"$data":"AAE="},"x\u00e9\n"],"b":{"$date":0.5}}"#.utf8)
        for seed in 1...500 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...2, using: &generator))
            var writer = ByteWriter(capacity: 16)
            JSONKey.append(bytes.span, to: &writer)
            #expect(writer.count > 1, "seed \(seed)")
        }
    }
}
