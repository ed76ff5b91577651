// DaybookMacros: the compiler plugin, a thin layer over DaybookModel. It registers the macros by
// name. It must not interpret declarations or generate code.
//
// Invariants:
// - No test depends on this module: such a test, and all of its dependencies, would be built a
//   second time for the host.
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
