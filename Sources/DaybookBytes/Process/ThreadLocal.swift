#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// One object per thread, released when the thread ends.
///
/// Intended for a few `static let` properties: a process has about a thousand thread-specific keys,
/// and running out of them traps. A read costs less than 10 ns, mostly for retaining the object,
/// and takes no lock.
package final class ThreadLocal<Value: AnyObject>: Sendable {
    private let key: pthread_key_t

    /// Allocates a key; every thread starts without a value.
    package init() {
        var key = pthread_key_t()
        // SAFETY: the key is written before the call returns and read only if the call succeeded.
        let status = unsafe pthread_key_create(&key) { pointer in
            // SAFETY: only retained objects are stored under the key, see `value`. The threads
            // library calls this once per non-null pointer.
            #if canImport(Darwin)
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
            #else
            if let pointer = unsafe pointer {
                unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
            }
            #endif
        }
        precondition(status == 0, "no thread-specific key is left: make ThreadLocals static")
        self.key = key
    }

    // Releases only the value of the current thread; values of other threads stay until the process
    // ends. Static ThreadLocals are never deinitialized.
    deinit {
        value = nil
        pthread_key_delete(key)
    }

    /// The object of the current thread.
    package var value: Value? {
        get {
            // SAFETY: the setter stored a retained `Value`, which is released only when it is
            // replaced.
            guard let pointer = unsafe pthread_getspecific(key) else { return nil }
            return unsafe Unmanaged<Value>.fromOpaque(pointer).takeUnretainedValue()
        }
        set {
            // SAFETY: the key is valid as long as this object, and a stored value stays retained.
            let old = unsafe pthread_getspecific(key)
            var new: UnsafeMutableRawPointer?
            if let newValue { unsafe new = Unmanaged.passRetained(newValue).toOpaque() }
            let status = unsafe pthread_setspecific(key, new)
            precondition(status == 0, "no memory for a thread-specific value")
            // SAFETY: this setter retained `old`, which is no longer stored. The release comes
            // last, because its deinit may access this property.
            if let old = unsafe old { unsafe Unmanaged<Value>.fromOpaque(old).release() }
        }
    }
}
