/// Damage of a file that cost nothing, because its content is stored twice or follows from the
/// manifest.
package struct ToleratedDamage: Equatable, Sendable {
    /// The name of the file in the store's directory.
    package var file: String
    /// The damage, for a person.
    package var message: String
}
