import DaybookBytes
import Foundation
import Synchronization
import Testing

struct ThreadLocalTests {
    /// Counts its instances.
    private final class Guest: Sendable {
        static let count = Atomic<Int>(0)
        let name: Int
        init(_ name: Int) {
            self.name = name
            Self.count.add(1, ordering: .relaxed)
        }
        deinit { Self.count.subtract(1, ordering: .relaxed) }
    }

    @Test func `each thread has its own object, released with the thread`() {
        let local = ThreadLocal<Guest>()
        let mistakes = Atomic<Int>(0)
        let done = DispatchSemaphore(value: 0)
        local.value = Guest(0)
        for name in 1...8 {
            let thread = Thread {
                if local.value != nil { mistakes.add(1, ordering: .relaxed) }
                local.value = Guest(-1)
                local.value = Guest(name)
                for _ in 0..<1000 where local.value?.name != name {
                    mistakes.add(1, ordering: .relaxed)
                }
                done.signal()
            }
            thread.start()
        }
        for _ in 1...8 { done.wait() }
        #expect(mistakes.load(ordering: .relaxed) == 0)
        #expect(local.value?.name == 0)
        // The threads have signalled but may still be running.
        while Guest.count.load(ordering: .relaxed) > 1 { Thread.sleep(forTimeInterval: 0.001) }
        #expect(Guest.count.load(ordering: .relaxed) == 1)
        local.value = nil
        #expect(local.value == nil)
        #expect(Guest.count.load(ordering: .relaxed) == 0)
    }

    @Test func `keys are released`() {
        // There are about a thousand keys.
        for _ in 0..<3000 {
            let local = ThreadLocal<NSObject>()
            local.value = NSObject()
            #expect(local.value != nil)
        }
    }

    @Test func `the clock shows the time of day`() {
        let before = Date().timeIntervalSince1970
        let now = Double(WallClock.microsecondsSinceEpoch()) / 1_000_000
        #expect(abs(now - before) < 60)
    }
}
