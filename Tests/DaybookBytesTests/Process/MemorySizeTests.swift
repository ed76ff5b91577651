import DaybookBytes
import Testing

@Suite struct MemorySizeTests {
    @Test func `the lowest limit applies, and at most the physical memory`() {
        #expect(MemorySize.limited(physicalBytes: 100, by: []) == 100)
        #expect(MemorySize.limited(physicalBytes: 100, by: [70, 50, 200]) == 50)
        #expect(MemorySize.limited(physicalBytes: 100, by: [200]) == 100)
    }

    @Test func `this machine has memory`() {
        #expect(MemorySize.bytes >= 1 << 20)
    }
}
