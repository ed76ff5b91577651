/// What a put expects of the object's id. Raw values follow ObjectBox.
package enum PutMode: UInt8, Sendable {
    /// Insert or replace.
    case put = 1
    /// Only a new object: `.idExists` if one lives under the id.
    case insert = 2
    /// Only a living object: `.notFound` otherwise.
    case update = 3
}
