#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension FileSystem {
    /// Takes a lock like ``lock(_:note:)``, and tries again while another holder has it: every
    /// millisecond at first, then less often, at least every 50 milliseconds.
    ///
    /// Throws `.locked` after `waitMilliseconds`, and `.interrupted` if the calling operation is
    /// cancelled.
    package func lock(
        _ path: String, note: String, waitMilliseconds: Int
    ) throws(DaybookError) -> any FileLock {
        let deadline = ContinuousClock.now + .milliseconds(waitMilliseconds)
        var pauseMilliseconds: UInt32 = 1
        while true {
            do throws(DaybookError) {
                return try lock(path, note: note)
            } catch {
                guard error.code == .locked, ContinuousClock.now < deadline else { throw error }
            }
            try OperationCancellation.checkCurrent()
            usleep(pauseMilliseconds * 1000)
            pauseMilliseconds = min(pauseMilliseconds * 2, 50)
        }
    }
}
