import Foundation
import PackagePlugin

/// Writes the code of a target's entities before the target is compiled: for sources that say what
/// is stored with `: Entity`, comments or Realm's base classes, and carry no macro.
///
/// A target asks for it in its manifest:
///
/// ```swift
/// .target(
///     name: "Models", dependencies: [.product(name: "Daybook", package: "daybook")],
///     plugins: [.plugin(name: "DaybookGenerator", package: "daybook")])
/// ```
///
/// In a module that isolates to the main actor by default, a type that only a comment marks has to
/// be `nonisolated`; one that says `: Entity` is so by itself.
///
/// The target then has `Store(directoryPath:)`, which opens a store with every entity of the
/// target. In Xcode the plugin is chosen under “Run Build Tool Plug-ins” of the target's build
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
