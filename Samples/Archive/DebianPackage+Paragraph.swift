extension DebianPackage {
    /// The package that a paragraph of an index describes.
    ///
    /// Throws ``ArchiveError`` for a paragraph without `Package`, `Version` or `Architecture`.
    init(_ paragraph: Paragraph, list: String) throws {
        self.init(list: list)
        var rest = ""
        for (field, value) in paragraph.fields {
            if !set(field, value) { rest += "\(field): \(value)\n" }
        }
        if !rest.isEmpty { others = rest }
        guard !name.isEmpty, !version.isEmpty, !architecture.isEmpty else {
            throw ArchiveError(
                "\(list), line \(paragraph.line): a package needs the fields Package, Version and"
                    + " Architecture. Is the file a package index?")
        }
    }

    /// Takes a field over; false if there is no property for it, or the value does not fit it.
    private mutating func set(_ field: String, _ value: String) -> Bool {
        switch field {
        case "Package": name = value
        case "Version": version = value
        case "Architecture": architecture = value
        case "Source": source = value
        case "Section": section = value
        case "Priority": priority = value
        case "Multi-Arch": multiArch = value
        case "Maintainer": maintainer = value
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
