import Foundation
import PackagePlugin

/// Generates the code of a target's entities before the target is compiled. The entities are
/// declared with `: Entity`, with comments or with Realm's base classes, and have no macro.
///
/// A target requests this in its manifest:
///
/// ```swift
/// .target(
///     name: "Models", dependencies: [.product(name: "Daybook", package: "daybook")],
///     plugins: [.plugin(name: "DaybookGenerator", package: "daybook")])
/// ```
///
/// In a module with main-actor isolation by default, a type that only a comment marks must be
/// `nonisolated`; a type with `: Entity` is `nonisolated` automatically.
///
/// The target then has `Store(directoryPath:)`, which opens a store with every entity of the
/// target. In Xcode, select the plugin under “Run Build Tool Plug-ins” in the target's build
/// phases.
@main
struct DaybookGenerator: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        return [
            try Self.command(
                tool: context.tool(named: "DaybookGenerate").url,
                directory: context.pluginWorkDirectoryURL, module: module.moduleName,
                files: module.sourceFiles(withSuffix: "swift").map(\.url))
        ]
    }

    private static func command(
        tool: URL, directory: URL, module: String, files: [URL]
    ) throws -> Command {
        let output = directory.appending(path: "Daybook.generated.swift")
        let arguments = [output.path(percentEncoded: false), module]
        return .buildCommand(
            displayName: "Writing the entities of \(module)", executable: tool,
            arguments: arguments + files.map { $0.path(percentEncoded: false) },
            inputFiles: files, outputFiles: [output])
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension DaybookGenerator: XcodeBuildToolPlugin {
    func createBuildCommands(
        context: XcodePluginContext, target: XcodeTarget
    ) throws -> [Command] {
        let files = target.inputFiles.filter { $0.url.pathExtension == "swift" }
        return [
            try Self.command(
                tool: context.tool(named: "DaybookGenerate").url,
                directory: context.pluginWorkDirectoryURL, module: target.displayName,
                files: files.map(\.url))
        ]
    }
}
#endif
