// DaybookMacros: the compiler plugin, a thin shell over DaybookModel. It knows the names that the
// compiler asks for. It must not know what an entity is, nor what is written for one.
//
// Invariants:
// - No test depends on this module: one that did would have every test, and all that tests use,
//   built once more for the compiler's side.
// - Without the package trait `Macros` the plugin builds without swift-syntax and provides nothing.

#if Macros
internal import DaybookModel
internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main
struct DaybookPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self, MarkMacro.self, ProjectionMacro.self,
    ]
}

/// `@Entity`, `@Embedded`, `@Event`.
enum EntityMacro: EntityExpansion {}

/// `@Transient`, `@Index` and every other attribute that only says something.
enum MarkMacro: MarkExpansion {}

/// `@Projection`.
enum ProjectionMacro: ProjectionExpansion {}
#else
@main
enum DaybookPlugin {
    static func main() {}
}
#endif
