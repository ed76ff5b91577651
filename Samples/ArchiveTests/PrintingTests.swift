@testable import Archive
import Testing

@Suite struct PrintingTests {
    @Test func `sizes are printed in a suitable unit`() {
        #expect(Sizes.text(0) == "0 KiB")
        #expect(Sizes.text(10_240) == "10 KiB")
        #expect(Sizes.text(50_060_337) == "47.7 MiB")
    }

    @Test func `durations are printed in a suitable unit`() {
        #expect(Timing.text(.microseconds(812)) == "812 µs")
        #expect(Timing.text(.microseconds(1234)) == "1.2 ms")
        #expect(Timing.text(.milliseconds(1960)) == "2.0 s")
    }

    @Test func `a line ends with an ellipsis if some names are omitted`() {
        #expect(ArchiveCommand.line(["ab", "cd", "ef"], width: .max) == "ab cd ef")
        #expect(ArchiveCommand.line(["ab", "cd", "ef"], width: 9) == "ab cd ef")
        #expect(ArchiveCommand.line(["ab", "cd", "ef"], width: 8) == "ab cd …")
        #expect(ArchiveCommand.line([], width: 8) == "")
    }

    @Test func `the bar fills from left to right`() {
        #expect(
            ProgressBar.line("a", 0).hasSuffix("[........................................] 0 %"))
        #expect(ProgressBar.line("a", 50).contains("####################...................."))
    }
}
