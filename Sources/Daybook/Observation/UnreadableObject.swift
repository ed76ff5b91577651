public import DaybookBytes

/// An object of a result that cannot be decoded, such as one whose converter throws, or one whose
/// bytes are damaged: see ``LiveResults/unreadable``.
public struct UnreadableObject: Sendable, Identifiable {
    /// The id of the object.
    public let id: Id
    /// The error of reading or decoding the object.
    public let error: DaybookError
}
