import Foundation
import Synchronization

/// A terminal for a program to write to, and all that it wrote there.
final class Terminal: Sendable {
    /// The program's side.
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
        // A process that another test starts must not keep it open.
        for descriptor in [screen, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.screen = screen
        self.device = FileHandle(fileDescriptor: device, closeOnDealloc: false)
    }

    deinit { close(screen) }

    /// Takes down what is written from now on; to be called once the program has its side.
    func begin() {
        // Only the program's own copy keeps it open now: it ends with the program.
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

    /// All of it, once the program has ended.
    func readToEnd() -> Data {
        isOver.wait()
        return shown.withLock { $0 }
    }
}
