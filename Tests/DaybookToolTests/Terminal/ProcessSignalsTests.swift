@testable import DaybookCommand
import Foundation
import Testing

@Suite struct ProcessSignalsTests {
    @Test func `a signal is detected from the start`() {
        for _ in 0..<20 {
            let signals = ProcessSignals()
            // After this poll, one signal does not end the process.
            #expect(!signals.isRaised)
            kill(getpid(), SIGTERM)
            let end = Date(timeIntervalSinceNow: 10)
            while !signals.isRaised, Date() < end { Thread.sleep(forTimeInterval: 0.0001) }
            guard signals.isRaised else {
                Issue.record("a signal was lost")
                break
            }
        }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}
