import DaybookBytes
@testable import DaybookLog
import DaybookTestSupport
import Testing

@Suite struct ScanTests {
    @Test func `a scan from any sequence gives that transaction and all later ones`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 2 << 10 }
        try log.append(count: 150)
        #expect(log.log.manifest.sealed.count > 2)
        for sequence in UInt64(1)...151 {
            let expected = (sequence..<151).map { "text \($0)" }
            #expect(try log.texts(from: sequence) == expected, "from \(sequence)")
        }
        #expect(try log.texts(from: 9999).isEmpty)
    }

    @Test func `the sparse index finds the right frame in large segments`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 300 << 10 }
        let wide = String(repeating: "w", count: 9000)
        for number in 0..<90 { try log.append("\(number)", wide, "end \(number)") }
        func check(_ log: borrowing LogFixture) throws {
            for sequence in stride(from: UInt64(1), through: 90, by: 7) {
                let texts = try log.texts(from: sequence)
                #expect(texts.first == "\(sequence - 1)")
                #expect(texts.count == 3 * Int(91 - sequence))
            }
        }
        try check(log)
        try log.log.close()
        try check(try LogFixture(fileSystem))
    }

    @Test func `a scan ends at the end of the log when it began`() throws {
        var log = try LogFixture(MemoryFileSystem())
        try log.append(count: 5)
        var scanner = try log.log.scan(from: nil)
        try log.append(count: 5)
        var count = 0
        while try scanner.next() != nil { count += 1 }
        #expect(count == 5)
    }

    @Test func `a scan can continue after any frame`() throws {
        var log = try LogFixture(MemoryFileSystem()) { $0.segmentSizeBytes = 1 << 10 }
        try log.append(count: 40)
        var scanner = try log.log.scan(from: nil)
        var seen: [String] = []
        while let frame = try scanner.next() {
            seen.append(LogFixture.text(frame.payload))
            var rest = try log.log.scan(from: scanner.position)
            let next = try rest.next().map { LogFixture.text($0.payload) }
            #expect(next == (seen.count < 40 ? "text \(seen.count + 1)" : nil))
        }
        #expect(seen.count == 40)
    }

    @Test func `a position in a discarded segment is a gap in the history`() throws {
        var log = try LogFixture(MemoryFileSystem())
        try log.append("x")
        let place = LogPosition(segment: 77, offset: 64, check: 1, sequence: 0)
        expectError(.historyTruncated) { _ = try log.log.scan(from: place) }
    }

    @Test func `damage during a scan names its position, and no later frame is returned`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 1 << 10 }
        try log.append(count: 40)
        try log.log.close()
        let entry = log.log.manifest.sealed[1]
        let path = LogFixture.path + "/" + entry.fileName.text
        let image = fileSystem.afterKill(changing: path) { $0[300] ^= 8 }
        let again = try LogFixture(image)
        var scanner = try again.log.scan(from: nil)
        var last: UInt64 = 0
        let error = expectError(.corruption) {
            while let frame = try scanner.next() { last = frame.header.lastSequence }
        }
        #expect(last >= entry.firstSequence - 1 && last < entry.lastSequence)
        #expect(error?.details["segment"] == "2")
        #expect(error?.details["sequence"] == String(last))
    }

    @Test func `a scan never skips a missing segment`() throws {
        var log = try LogFixture(MemoryFileSystem()) { $0.segmentSizeBytes = 1 << 10 }
        try log.append(count: 40)
        log.log.release([2])
        let error = expectError(.corruption) { _ = try log.texts() }
        #expect(error?.details["segment"] == "2")
    }

    @Test func `a running scan continues after its segments are released`() throws {
        var log = try LogFixture(MemoryFileSystem()) { $0.segmentSizeBytes = 1 << 10 }
        try log.append(count: 40)
        var scanner = try log.log.scan(from: nil)
        let numbers = log.log.manifest.sealed.map(\.number)
        log.log.release(numbers)
        var count = 0
        while let frame = try scanner.next() {
            let place = try frame.location(recordOffset: 0)
            #expect(try log.log.frame(at: place).bytes == frame.payload)
            count += 1
        }
        #expect(count == 40)
    }

    @Test func `scans during rolls find every sequence once`() throws {
        let last = UInt64(1500)
        let log = try LogFixture(MemoryFileSystem()) { $0.segmentSizeBytes = 1 << 10 }.log
        try onThreads(3) { number in
            if number == 0 {
                for sequence in 1...last {
                    _ = try log.append(
                        [LogFixture.payload("text", sequence)], timeMicroseconds: sequence)
                }
                return
            }
            var next: UInt64 = 1
            while next <= last {
                let start = number == 1 ? next : 1
                var scanner = try log.scan(fromSequence: start)
                var expected: UInt64?
                while let frame = try scanner.next() {
                    let found = frame.header.firstSequence
                    guard found == expected ?? min(found, start) else { throw Gap(at: found) }
                    expected = found + 1
                }
                next = max(next, expected ?? 1)
            }
        }
    }

    @Test func `an empty log has no transactions`() throws {
        let log = try LogFixture(MemoryFileSystem())
        #expect(try log.texts().isEmpty)
        #expect(log.log.lastSequence == 0)
        #expect(log.log.manifest.sealed.isEmpty)
    }
}

private struct Gap: Error {
    let at: UInt64
}
