import Daybook

/// Realm's rule for the keys of stored maps.
enum MapKey {
    /// Throws `.invalidValue` for a key that contains a dot or begins with a dollar sign. The
    /// message names `property`.
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
