package import DaybookRecords

extension StoreSchema {
    /// The type of a stored value.
    public struct ValueType: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The kind of a type, without elements and optionality.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            case bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float, double
            /// Milliseconds since 1970.
            case date
            /// Nanoseconds since 1970.
            case dateNano
            case string, bytes, uuid, decimal, list, set, map
            /// A value of an embedded entity.
            case embedded
            /// A Codable value, as JSON.
            case json
        }

        /// The kind of the type.
        public var kind: Kind
        /// Whether a value may be null.
        public var isOptional: Bool
        /// The entity of an embedded value; nil for all other types.
        public var embeddedEntity: String?
        /// At most one element: an array, because a struct cannot contain itself.
        private var elements: [ValueType]

        /// The type of the elements of a list, set or map; nil for all other types.
        public var element: ValueType? { elements.first }

        /// The type as text: `list<string?>`, `embedded<Address>?`.
        public var description: String {
            var text = kind.rawValue
            if let element { text += "<\(element)>" }
            if let embeddedEntity { text += "<\(embeddedEntity)>" }
            return isOptional ? text + "?" : text
        }

        /// Nil for a relation.
        package init?(_ shape: ValueShape) {
            guard let kind = Kind(rawValue: shape.type.name) else { return nil }
            self.kind = kind
            isOptional = shape.isOptional
            embeddedEntity = shape.type == .embedded ? shape.entityName : nil
            elements = shape.element.flatMap { ValueType($0) }.map { [$0] } ?? []
        }
    }
}
