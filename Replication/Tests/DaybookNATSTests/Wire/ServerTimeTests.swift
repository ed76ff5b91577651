import Foundation
import Testing

@testable import DaybookNATS

@Suite struct ServerTimeTests {
    @Test func `times of a server are nanoseconds since 1970`() {
        #expect(ServerTime.nanoseconds("1970-01-01T00:00:00Z") == 0)
        #expect(ServerTime.nanoseconds("1970-01-02T00:00:01.5Z") == 86_401_500_000_000)
        #expect(
            ServerTime.nanoseconds("2026-11-28T15:46:25.123456789Z")
                == 1_795_880_785_123_456_789)
        #expect(ServerTime.nanoseconds("2000-02-29T23:59:59.000000001Z") == 951_868_799_000_000_001)
        #expect(ServerTime.nanoseconds("2261-12-31T23:59:59Z") == 9_214_646_399_000_000_000)
    }

    @Test func `each day of two hundred years is one day after the last`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: 0, to: 73_000, by: 7) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let text = String(
                format: "%04d-%02d-%02dT00:00:00Z", parts.year ?? 0, parts.month ?? 0,
                parts.day ?? 0)
            #expect(ServerTime.nanoseconds(text) == Int64(day) * 86_400_000_000_000)
        }
    }

    @Test(arguments: [
        "", "T", "Z", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00Z",
        "1970-13-01T00:00:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.1234567891Z",
        "1969-12-31T23:59:59Z", "2300-01-01T00:00:00Z", "1970-01-01T-1:00:00Z",
        "0001-01-01T00:00:00Z",
    ])
    func `another text is not a time`(text: String) {
        #expect(ServerTime.nanoseconds(text) == nil)
    }

    @Test func `durations are limited to the range of nanoseconds`() {
        #expect(Duration.seconds(2).nanosecondCount == 2_000_000_000)
        #expect(Duration.milliseconds(-5).nanosecondCount == -5_000_000)
        #expect(Duration.seconds(Int64.max).nanosecondCount == .max)
        #expect(Duration.seconds(Int64.min).nanosecondCount == .min)
    }
}
