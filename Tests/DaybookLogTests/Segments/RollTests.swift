import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct RollTests {
    private func log(_ fileSystem: any FileSystem) throws -> LogFixture {
        try LogFixture(fileSystem) { $0.segmentSizeBytes = 1 << 10 }
    }

    @Test func `a full segment is sealed and the log continues in a new one`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try log(fileSystem)
        try log.append(count: 50)
        let sealed = log.log.manifest.sealed
        #expect(sealed.count > 3)
        #expect(sealed.map(\.number) == Array(1...UInt64(sealed.count)))
        #expect(sealed.first?.firstSequence == 1)
        for (one, next) in zip(sealed, sealed.dropFirst()) {
            #expect(next.firstSequence == one.lastSequence + 1)
        }
        for entry in sealed {
            #expect(entry.length <= 1 << 10 + 256)
            let path = LogFixture.path + "/" + entry.fileName.text
            let bytes = try #require(fileSystem.contents[path])
            #expect(bytes.count == entry.length)
            #expect(XXH64.hash(bytes.span) == entry.hash)
            try log.log.verify(entry)
        }
        #expect(try log.texts() == (1...50).map { "text \($0)" })
        try log.log.close()
        let again = try LogFixture(fileSystem)
        #expect(again.report.wasClosedCleanly)
        #expect(try again.texts().count == 50)
    }

    @Test func `a transaction larger than a segment gets one of its own`() throws {
        var log = try log(MemoryFileSystem())
        try log.append("small")
        let big = String(repeating: "x", count: 5000)
        try log.append(big, big)
        try log.append("small again")
        #expect(try log.texts() == ["small", big, big, "small again"])
        #expect(log.log.manifest.sealed.count == 2)
    }

    @Test func `frames of one transaction are in one segment`() throws {
        var log = try log(MemoryFileSystem())
        try log.append(String(repeating: "x", count: 500))
        let frames = try log.append(
            String(repeating: "a", count: 300), String(repeating: "b", count: 300))
        #expect(frames.offsets.count == 2)
        #expect(frames.isFirstOfSegment)
    }

    @Test func `a kill at any point of a roll loses nothing`() throws {
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(5), persistence: .forever)
        var whole = try log(counter)
        let firstCall = counter.callCount
        try whole.append(count: 20)
        #expect(whole.log.manifest.sealed.count == 1)
        for call in (firstCall + 1)...counter.callCount {
            let memory = MemoryFileSystem()
            let fileSystem = FaultFileSystem(
                memory, failingCall: call, fault: .errno(5), persistence: .forever)
            var log = try log(fileSystem)
            var done = 0
            while done < 20, (try? log.append(count: 1)) != nil { done += 1 }
            #expect(done < 20, "call \(call)")
            let onlooker = try LogFixture(memory.afterKill(), isReadOnly: true)
            #expect(try onlooker.log.tornByteCount() == 0, "call \(call)")
            var again = try self.log(memory.afterKill())
            // A seal frame there is no damage.
            #expect(again.report.tornBytes == 0, "call \(call)")
            #expect(again.report.quarantinedFile == nil, "call \(call)")
            let texts = try again.texts()
            #expect(texts.count >= done, "call \(call)")
            #expect(texts == (0..<texts.count).map { "text \($0 + 1)" })
            try again.append(count: 20)
            #expect(try again.texts().count == texts.count + 20)
        }
    }

    @Test func `a failed roll is retried without loss`() throws {
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(28), persistence: .once)
        var whole = try log(counter)
        let firstCall = counter.callCount
        try whole.append(count: 20)
        for call in (firstCall + 1)...counter.callCount {
            let memory = MemoryFileSystem()
            let fileSystem = FaultFileSystem(
                memory, failingCall: call, fault: .errno(28), persistence: .once)
            let log = try log(fileSystem)
            var texts: [String] = []
            for number in 0..<30 {
                do throws(DaybookError) {
                    _ = try log.log.append(
                        [LogFixture.payload("\(number)", log.log.lastSequence + 1)],
                        timeMicroseconds: 1)
                    texts.append("\(number)")
                } catch {
                    #expect([.outOfSpace, .durabilityUnknown].contains(error.code), "call \(call)")
                }
            }
            // (A preallocation step that does not fit is reduced, and nothing fails.)
            #expect(texts.count >= 29 || log.log.durability?.failure != nil, "call \(call)")
            #expect(try log.texts() == texts, "call \(call)")
            log.log.abandon()
            let again = try self.log(memory.afterKill())
            #expect(try again.texts() == texts, "call \(call), reopened")
        }
    }

    @Test func `a sealed segment that is missing, longer, shorter or changed is corruption`() throws
    {
        let fileSystem = MemoryFileSystem()
        var log = try log(fileSystem)
        try log.append(count: 40)
        try log.log.close()
        let entry = log.log.manifest.sealed[1]
        let path = LogFixture.path + "/" + entry.fileName.text
        for change: (inout [UInt8]) -> Void in [{ $0.append(0) }, { $0.removeLast() }, { $0 = [] }]
        {
            expectError(.corruption) {
                _ = try LogFixture(fileSystem.afterKill(changing: path, change))
            }
        }
        var gone = fileSystem.contents
        gone[path] = nil
        let error = expectError(.corruption) {
            _ = try LogFixture(MemoryFileSystem(contents: gone))
        }
        #expect(error?.details["segment"] == String(entry.number))
        for place in stride(from: 64, to: entry.length, by: 31) {
            let image = fileSystem.afterKill(changing: path) { $0[place] ^= 4 }
            let again = try LogFixture(image)
            expectError(.corruption) { try again.log.verify(entry) }
            if place < entry.sealOffset {
                expectError(.corruption) { _ = try again.texts() }
            }
        }
    }

    @Test func `two swapped segments are detected`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try log(fileSystem)
        try log.append(count: 40)
        try log.log.close()
        let paths = log.log.manifest.sealed.prefix(2).map {
            LogFixture.path + "/" + $0.fileName.text
        }
        var mixed = fileSystem.contents
        (mixed[paths[0]], mixed[paths[1]]) = (mixed[paths[1]], mixed[paths[0]])
        expectError(.corruption) { _ = try LogFixture(MemoryFileSystem(contents: mixed)) }
    }
}
