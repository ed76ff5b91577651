public import Daybook

// Plain ids with the members of typed ones.

extension UInt64 {
    /// The number itself, as the `value` of an ``Daybook/EntityId``.
    public var value: Id { self }
}

extension Int64 {
    /// The number with the same bits, as the `value` of an ``Daybook/EntityId``.
    public var value: Id { objectId }
}
