// Casts in generic code, without the search for conformances and bridges that `as` makes at run
// time: 2,000 instructions and more.

/// Returns a value as the type that it has; nil if its static type differs from `type`, even if a
/// dynamic cast would succeed.
package func cast<Value, Result>(_ value: Value, toSame type: Result.Type) -> Result? {
    guard Value.self == type else { return nil }
    // SAFETY: both are the same type.
    return unsafe unsafeBitCast(value, to: type)
}

/// Returns a class instance as a reference; nil for a value of any other type.
package func instance<Value>(_ value: Value) -> AnyObject? {
    guard Value.self is AnyClass else { return nil }
    // SAFETY: a class instance is one reference.
    return unsafe unsafeBitCast(value, to: AnyObject.self)
}
