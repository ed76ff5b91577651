/// A new object, or new values of an existing one: the body of `POST /api/put`.
struct PutRequest: Codable, Sendable, Equatable {
    var entity: String
    /// The id, as decimal digits; nil for a new object.
    var id: String?
    /// The properties to set. The others keep their values.
    var values: [WrittenValue]
    /// The author of the commit.
    var author: String?
}

/// The new value of a property.
struct WrittenValue: Codable, Sendable, Equatable {
    var name: String
    /// The value in the form of ``ShownValue/text``, parsed by the type of the property; nil for
    /// null.
    var text: String?
}

/// The body of `POST /api/remove`.
struct RemoveRequest: Codable, Sendable, Equatable {
    var entity: String
    /// The id, as decimal digits.
    var id: String
    var author: String?
}

/// The body of `POST /api/undo`, which reverses a commit.
struct UndoRequest: Codable, Sendable, Equatable {
    var sequence: UInt64
    var author: String?
}

/// The body of `POST /api/restore`, which stores the values that an object had after a commit.
struct RestoreRequest: Codable, Sendable, Equatable {
    var entity: String
    /// The id, as decimal digits.
    var id: String
    var sequence: UInt64
    var author: String?
}

/// The body of `POST /api/session`.
struct SessionRequest: Codable, Sendable, Equatable {
    /// The token that the command printed.
    var token: String
}
