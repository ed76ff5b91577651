import Foundation
import Synchronization

/// A pseudoterminal for a program's output, and the output that it received.
final class Terminal: Sendable {
    /// The program's side of the terminal.
    let device: FileHandle
    private let screen: Int32
    private let shown = Mutex(Data())
    private let isOver = DispatchSemaphore(value: 0)

    init(columnCount: UInt16 = 80) throws {
        var (screen, device) = (Int32(-1), Int32(-1))
        var size = winsize()
        size.ws_col = columnCount
        size.ws_row = 24
        guard openpty(&screen, &device, nil, nil, &size) == 0 else { throw POSIXError(.ENOTTY) }
        // A process that another test starts must not inherit the descriptors.
        for descriptor in [screen, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.screen = screen
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: false)
    }

    deinit { close(screen) }

    /// Starts recording the output. Call it after the program has opened its side.
    func begin() {
        // From here only the program's descriptor keeps the terminal open, so the output ends with
        // the program.
        try? device.close()
        let screen = screen
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(screen, &buffer, buffer.count)
                guard count > 0 else { break }
                shown.withLock { $0.append(contentsOf: buffer[..<count]) }
            }
            isOver.signal()
        }
    }

    /// Returns the whole output after the program has ended.
    func readToEnd() -> Data {
        isOver.wait()
        return shown.withLock { $0 }
    }
}
