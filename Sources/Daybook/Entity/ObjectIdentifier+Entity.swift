import DaybookBytes

extension ObjectIdentifier {
    /// The identity of a class instance; nil for a struct.
    init?(instance object: some Entity) {
        guard let instance = instance(object) else { return nil }
        self.init(instance)
    }
}
