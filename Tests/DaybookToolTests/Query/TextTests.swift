import DaybookEngine
import DaybookRecords
import Foundation
import Testing

@testable import DaybookCommand

@Suite struct TextTests {
    @Test func `the progress bar fills up and stays on its line`() {
        func bar(_ fraction: Double, isColored: Bool = false) -> String {
            ProgressBar.text("replay", fraction, isColored: isColored)
        }
        #expect(bar(0) == "replay  ------------------------------    0 %")
        #expect(bar(0.5) == "replay  ###############---------------   50 %")
        #expect(bar(0.999) == "replay  #############################-   99 %")
        #expect(bar(1) == "replay  ##############################  100 %")
        #expect(bar(7) == bar(1))
        #expect(bar(-1) == bar(0))
        #expect(bar(.nan) == bar(0))
        #expect(bar(0.5, isColored: true).contains("\u{1B}[32m###############\u{1B}["))
        #expect(bar(0.5, isColored: true).hasSuffix("\u{1B}[0m   50 %"))
    }

    @Test func `the details of a progress bar have a constant width, if the terminal has it`() {
        func bar(_ details: String, _ columnCount: Int?) -> String {
            ProgressBar.text(
                "replay", 0.5, details: details, columnCount: columnCount, isColored: false)
        }
        let plain = ProgressBar.text("replay", 0.5, isColored: false)
        let long = bar("999.9 MB/s  99 h 59 min left", 80)
        #expect(long == plain + "  999.9 MB/s  99 h 59 min left")
        #expect(bar("12.3 MB/s  8 s left", 80).hasPrefix(plain + "  12.3 MB/s  8 s left "))
        #expect(bar("12.3 MB/s  8 s left", 80).count == long.count)
        #expect(bar("", 80).count == long.count)
        #expect(long.count < 80)
        #expect(bar("8 s left", 76) == bar("8 s left", 80))
        #expect(bar("8 s left", 75) == plain)
        #expect(bar("8 s left", nil) == plain)
    }

    @Test(arguments: [
        ("1970-01-01", 0, 86_399_999_999),
        ("1970-01-01T00:00:00Z", 0, 999_999),
        ("1970-01-01T00:00:00.5Z", 500_000, 599_999),
        ("1970-01-01T00:00:00.123456Z", 123_456, 123_456),
        ("1970-01-01T00:00:00.1234567Z", 123_456, 123_456),
        ("1970-01-01T01:00:00+01:00", 0, 999_999),
        ("1969-12-31T23:00:00-01:00", 0, 999_999),
        ("1969-12-31t23:59:59.999999z", -1, -1),
        ("2000-02-29", 951_782_400_000_000, 951_868_799_999_999),
        ("2100-03-01", 4_107_542_400_000_000, 4_107_628_799_999_999),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000_000, -62_135_596_799_000_001),
        ("2026-11-21 10:00:00Z", 1_795_255_200_000_000, 1_795_255_200_999_999),
    ])
    func `a time covers the interval of its precision`(
        _ text: String, _ first: Int64, _ last: Int64
    ) throws {
        #expect(try HistoryPoint.parse(argument: text) == .time(first: first, last: last))
    }

    @Test(arguments: [
        "", "-1", "+1", "18446744073709551616", "1.5", "2026-11", "2026-13-01", "2026-00-01",
        "2026-02-29", "2100-02-29", "2026-11-21T10", "2026-11-21T10:00", "2026-11-21T10:00:00",
        "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:00:60Z",
        "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00+1", "2026-11-21T10:00:00+25:00",
        "2026-11-21T10:00:00+01:60",
        "2026-11-21T10:00:00Zulu", "0000-01-01", "２０２６-11-21", "now",
    ])
    func `an invalid point in time is refused`(_ text: String) {
        #expect(throws: ArgumentProblem.self) { try HistoryPoint.parse(argument: text) }
    }

    @Test func `sequences are parsed completely`() throws {
        #expect(try HistoryPoint.parse(argument: "0") == .sequence(0))
        #expect(try HistoryPoint.parse(argument: "18446744073709551615") == .sequence(.max))
    }

    @Test func `printed moments can be parsed again`() throws {
        for microseconds in [0, 1, -1, 999, -1_000, 1_795_255_200_123_456, -62_135_596_800_000_000]
        {
            var text = JSONText()
            text.moment(microseconds: Int64(microseconds))
            let written = text.text.dropFirst().dropLast()
            let point = try HistoryPoint.parse(argument: String(written))
            #expect(point == .time(first: Int64(microseconds), last: Int64(microseconds)))
        }
        var text = JSONText()
        text.moment(microseconds: .max)
        #expect(text.text == #"{"us":9223372036854775807}"#)
    }
}
