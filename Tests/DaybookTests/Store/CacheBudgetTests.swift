import DaybookLog
@testable import Daybook
import DaybookBytes
import Testing

/// The default sizes of the frame cache and of the index pages in memory.
@Suite struct CacheBudgetTests {
    @Test func `the default is an eighth of the memory and at least 64 MiB`() {
        let gibibyte = 1 << 30
        for (memory, budget) in [
            (0, 64 << 20), (256 << 20, 64 << 20), (512 << 20, 64 << 20), (gibibyte, 128 << 20),
            (24 * gibibyte, 3 * gibibyte), (.max, 1 << 40),
        ] {
            #expect(StoreOptions.frameCacheBudgetBytes(memoryBytes: memory) == budget)
        }
    }

    @Test func `options begin with the default of this machine`() throws {
        let options = StoreOptions()
        #expect(options.frameCacheBudgetBytes == StoreOptions.defaultFrameCacheBudgetBytes)
        #expect(options.frameCacheBudgetBytes == max(MemorySize.bytes / 8, 64 << 20))
        let engine = try options.engineOptions()
        #expect(engine.log.frameCacheBudgetBytes == options.frameCacheBudgetBytes)
    }

    @Test func `the default of index pages is a quarter of the memory and at least 64 MiB`() throws
    {
        let gibibyte = 1 << 30
        for (memory, budget) in [
            (0, 64 << 20), (256 << 20, 64 << 20), (512 << 20, 128 << 20), (gibibyte, 256 << 20),
            (.max, 1 << 40),
        ] {
            #expect(StoreOptions.indexBudgetBytes(memoryBytes: memory) == budget)
        }
        let options = StoreOptions()
        #expect(options.indexBudgetBytes == max(MemorySize.bytes / 4, 64 << 20))
        #expect(try options.engineOptions().indexBudgetBytes == options.indexBudgetBytes)
    }
}
