#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What the surroundings of the process ask for.
package enum ProcessEnvironment {
    /// Whether a variable is set to anything but the empty text.
    package static func isSet(_ name: String) -> Bool {
        // SAFETY: getenv answers nil or a text that ends with a zero byte, of which only the
        // first byte is read; this package never changes the environment.
        guard let value = unsafe getenv(name) else { return false }
        return unsafe value.pointee != 0
    }
}
