// The properties of the standard library with these names need macOS 26 and iOS 26, because they
// also serve arrays that Objective-C made. These properties need no newer system than `Span`, and
// the compiler prefers them.
extension Array {
    /// The elements, without a copy. They must not be class instances: Objective-C may have made
    /// an array of those, and then there is no memory that the span could borrow.
    @inlinable package var span: Span<Element> {
        @_lifetime(borrow self) @inline(__always) get {
            // SAFETY: the array owns the memory, because its elements are no class instances. The
            // array cannot change while the span borrows it, so the memory stays valid.
            let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
        }
    }

    /// The elements, for changes in place. Copies them first if another array shares them. They
    /// must not be class instances.
    @inlinable package var mutableSpan: MutableSpan<Element> {
        @_lifetime(&self) @inline(__always) mutating get {
            // SAFETY: see `span`. After the call, no other array has the memory, and no other
            // access to this array is possible before the last use of the span.
            let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
            return unsafe _overrideLifetime(
                MutableSpan(_unsafeElements: elements), mutating: &self)
        }
    }
}
