import Daybook
@testable import DaybookReplication
import ReplicationTestSupport

/// Tasks that put notes in a store until they are ended or the store is fenced.
struct Load {
    private let tasks: [Task<Void, Never>]

    /// Starts tasks that put notes with different texts, and record them in a ledger.
    init(_ writer: ReplicatedStore, named name: String, taskCount: Int, _ ledger: Ledger) {
        tasks = (0..<taskCount).map { task in
            Task {
                let notes = writer.store.box(for: Note.self)
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    let text = "\(name) \(task) \(number)"
                    do {
                        // The outcome of a cancelled commit would be unknown.
                        _ = try await Task { try await notes.put(Note(text)) }.value
                        ledger.acknowledge(text)
                    } catch let error as DaybookError where error.code == .fenced {
                        return ledger.refuse(text)
                    } catch {
                        ledger.doubt(text)
                        if (error as? DaybookError)?.code != .replicationTimedOut { return }
                    }
                }
            }
        }
    }

    /// Ends the tasks after their current commits.
    func end() async {
        for task in tasks { task.cancel() }
        await wait()
    }

    /// Waits until all tasks have ended.
    func wait() async { for task in tasks { await task.value } }
}
