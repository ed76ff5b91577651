import DaybookBytes
import Testing

@Suite struct SpareMemoryTests {
    @Test func `the reserve is an eighth of the memory and at most 512 MiB`() {
        #expect(SpareMemory.bytes(available: 1 << 30, of: 1 << 30) == 7 << 27)
        #expect(SpareMemory.bytes(available: 1 << 30, of: 1 << 40) == 1 << 29)
        #expect(SpareMemory.bytes(available: 0, of: 160) == -20)
    }

    @Test func `the available memory of a machine is read from meminfo`() {
        let text = "MemTotal:       24683656 kB\nMemAvailable:   1024 kB\nBuffers: 5 kB\n"
        #expect(SpareMemory.availableBytes(meminfo: text) == 1 << 20)
        for text in [
            "", "MemAvailable:", "MemAvailable: x kB", "MemAvailable: -1 kB",
            "MemAvailable: \(Int.max) kB", "NotMemAvailable: 4 kB",
        ] {
            #expect(SpareMemory.availableBytes(meminfo: text) == nil, "\(text)")
        }
    }

    @Test func `this machine reports its memory`() {
        #expect(SpareMemory.bytes < MemorySize.bytes)
    }
}
