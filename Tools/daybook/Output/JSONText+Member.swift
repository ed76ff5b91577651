import DaybookEngine
import DaybookRecords

extension JSONText {
    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    mutating func member(_ name: String, _ value: some BinaryInteger) {
        self.name(name)
        integer(value)
    }

    mutating func member(_ name: String, isTrue value: Bool) {
        self.name(name)
        bool(value)
    }

    /// Writes a hash as a string of 16 hexadecimal digits, because JSON parsers may round large
    /// numbers.
    mutating func member(_ name: String, hash: UInt64) {
        let digits = String(hash, radix: 16)
        member(name, String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// Writes bytes as two hexadecimal digits each. The strings sort in the order of the bytes.
    mutating func member(_ name: String, hexadecimal bytes: [UInt8]) {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        member(name, digits.joined())
    }

    /// Writes an array of objects. `write` writes the members of each object.
    mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (Element, inout JSONText) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in elements {
            beginObject()
            write(element, &self)
            endObject()
        }
        endArray()
    }
}
