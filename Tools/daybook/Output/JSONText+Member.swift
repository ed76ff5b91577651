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

    /// A hash as 16 hexadecimal digits: no reader of JSON rounds a text.
    mutating func member(_ name: String, hash: UInt64) {
        let digits = String(hash, radix: 16)
        member(name, String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// Bytes as two hexadecimal digits each: texts stand in the order of what they tell.
    mutating func member(_ name: String, hexadecimal bytes: [UInt8]) {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        member(name, digits.joined())
    }

    /// An array of objects, whose members `write` writes.
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
