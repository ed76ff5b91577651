#if !Macros
import Daybook

// Without the package trait the plugin generates nothing, so the models are not entities. These
// types replace Daybook's types so that the models compile.

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
