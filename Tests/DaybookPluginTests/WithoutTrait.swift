#if !Macros
import Daybook

// Without the package trait the plugin writes nothing, so the models are no entities and Daybook's
// types cannot be used with them. These stand in for them: the models compile, and nothing more.

protocol Entity {}

typealias EntityId<Target> = Id

protocol EntityProjection {}

class Projection<Root> {}

struct ToOne<Target>: ExpressibleByNilLiteral {
    init(nilLiteral: ()) {}
}

struct ToMany<Target>: ExpressibleByNilLiteral {
    init(nilLiteral: ()) {}
}
#endif
