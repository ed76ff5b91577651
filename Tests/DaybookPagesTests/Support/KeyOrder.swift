import Foundation

extension [UInt8] {
    /// Whether the key precedes another in the order of bytes. Without optimization, the generic
    /// comparison of the standard library would take most of the time of a test that sorts keys.
    func precedes(_ other: [UInt8]) -> Bool {
        guard !isEmpty, !other.isEmpty else { return count < other.count }
        let order = withUnsafeBytes { bytes in
            other.withUnsafeBytes {
                memcmp(bytes.baseAddress!, $0.baseAddress!, Swift.min(count, other.count))
            }
        }
        return order < 0 || (order == 0 && count < other.count)
    }
}
