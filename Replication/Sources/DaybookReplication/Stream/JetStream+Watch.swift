import DaybookNATS

extension JetStream {
    /// Calls `signal` when a message may have been added to a subject, until the returned task is
    /// cancelled.
    func watch(_ subject: String, _ signal: Signal) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                // The server delivers a message before it is stored, and also one that the stream
                // refuses, so its content is not used.
                if let messages = try? await connection.subscribe(to: subject) {
                    do throws(NATSError) {
                        for try await _ in messages { signal.set() }
                    } catch  where error.code == .cancelled || error.code == .closed {
                        return
                    } catch {
                        // A reader that fell behind; the next subscription continues.
                    }
                }
                signal.set()
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
