/// A package as a paragraph of an index describes it, with its relations still as strings.
struct Listing: Equatable {
    var fields: PackageFields
    var maintainer: String?
    var section: String?

    /// Creates the listing of a package from a paragraph of an index.
    ///
    /// Throws ``ArchiveError`` for a paragraph without `Package`, `Version` or `Architecture`.
    init(_ paragraph: Paragraph, list: String) throws {
        fields = PackageFields(list: list)
        var rest = ""
        for (field, value) in paragraph.fields {
            switch field {
            case "Maintainer": maintainer = value
            case "Section": section = value
            default: if !fields.set(field, value) { rest += "\(field): \(value)\n" }
            }
        }
        if !rest.isEmpty { fields.others = rest }
        guard !fields.name.isEmpty, !fields.version.isEmpty, !fields.architecture.isEmpty else {
            throw ArchiveError(
                "\(list), line \(paragraph.line): a package needs the fields Package, Version and"
                    + " Architecture. Is the file a package index?")
        }
    }
}

extension PackageFields {
    /// Sets the property for a field. Returns false if no property exists for the field, or the
    /// value has the wrong format.
    fileprivate mutating func set(_ field: String, _ value: String) -> Bool {
        switch field {
        case "Package": name = value
        case "Version": version = value
        case "Architecture": architecture = value
        case "Source": source = value
        case "Priority": priority = value
        case "Multi-Arch": multiArch = value
        case "Homepage": homepage = value
        case "Description": summary = value
        case "Tag": tags = value
        case "Depends": depends = value
        case "Pre-Depends": preDepends = value
        case "Recommends": recommends = value
        case "Suggests": suggests = value
        case "Enhances": enhances = value
        case "Breaks": breaks = value
        case "Conflicts": conflicts = value
        case "Replaces": replaces = value
        case "Provides": provides = value
        case "Built-Using": builtUsing = value
        case "Filename": fileName = value
        default: return setNumber(field, value)
        }
        return true
    }

    private mutating func setNumber(_ field: String, _ value: String) -> Bool {
        switch field {
        case "Installed-Size":
            installedSizeKiB = Int(value)
            return installedSizeKiB != nil
        case "Size":
            size = Int(value)
            return size != nil
        case "Description-md5":
            summaryMD5 = [UInt8](hexadecimal: value)
            return summaryMD5 != nil
        case "MD5sum":
            md5 = [UInt8](hexadecimal: value)
            return md5 != nil
        case "SHA256":
            sha256 = [UInt8](hexadecimal: value)
            return sha256 != nil
        default: return false
        }
    }
}
