import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The objects of one entity. A box stores, finds and removes them.
///
/// A box may be used from any thread. Each call is a transaction of its own, unless it runs inside
/// ``Store/write(metadata:_:)``. Objects are plain copies that belong to the caller.
public final class Box<E: Entity>: AnyBox {
    let engine: Engine
    let types: StoreTypes
    private let registered: EntityBinding?

    init(_ engine: Engine, _ types: StoreTypes) {
        self.engine = engine
        registered = types[E.self]
        self.types = registered.map { types.owned(by: $0) } ?? types
    }

    /// Throws `.entityNotRegistered` for a type that the store was opened without.
    @inline(__always)
    func binding() throws(DaybookError) -> EntityBinding {
        if let registered { return registered }
        return try types.binding(of: E.self)
    }
}
