import DaybookBytes

/// Which keys a map may be stored with: Realm's rule.
enum MapKey {
    /// Throws `.invalidValue` for a key with a dot, or a dollar sign in front; `property` is for
    /// the message.
    static func check(
        _ keys: some Sequence<String>, of property: String?
    ) throws(DaybookError) {
        guard let key = keys.first(where: { $0.contains(".") || $0.hasPrefix("$") }) else { return }
        var details = ["key": key]
        details["property"] = property
        throw DaybookError(
            .invalidValue,
            "\(property.map { "Property '\($0)'" } ?? "A collection") has a map with the key"
                + " '\(key.prefix(50))'. Keys contain no '.', and do not begin with '$'.",
            details: details)
    }
}
