#if Macros
import DaybookModel

/// The content of a generated file.
struct GeneratedText {
    var imports = GeneratedImports()
    /// The types to register with the store, as code must spell them.
    var entities: [String] = []
    private var parts: [(file: String, codes: [String])] = []

    /// Adds the code for the entities of one file.
    mutating func add(_ codes: [String], of file: SourceText) {
        parts.append((file.name, codes))
        imports.add(file)
    }

    /// Adds a type with generated code to the registered types. The store finds embedded types
    /// itself.
    mutating func add(_ model: EntityModel) {
        if model.kind != .embedded { entities.append(model.qualifiedName) }
        if model.access != .inherited { imports.hasVisibleEntities = true }
    }

    func text(of module: String) -> String {
        var text = """
            // Written by DaybookGenerator for the module '\(module)' at every build: edit the
            // declarations, not this file.
            // swift-format-ignore-file
            // swiftlint:disable all

            """
        guard !entities.isEmpty || !parts.isEmpty else { return text }
        text += "\n" + imports.lines.joined(separator: "\n") + "\n"
        for part in parts {
            text += "\n// MARK: \(part.file)\n"
            for code in part.codes { text += "\n" + code + "\n" }
        }
        return entities.isEmpty ? text : text + "\n// MARK: The store\n\n" + storeExtension
    }

    /// The initializers of the store with all entities. The asynchronous one exists because, in an
    /// `async` function, the compiler would otherwise choose the library's initializer, which opens
    /// a store without entities.
    private var storeExtension: String {
        let list = entities.map { "            \($0).self,\n" }.joined()
        return """
            nonisolated extension Daybook.Store {
                private static var generatedEntities: [any Daybook.Storable.Type] {
                    [
            \(list)        ]
                }

                /// Opens the store in the directory at a path with all entities of this module.
                convenience init(
                    directoryPath: String, options: Daybook.StoreOptions = Daybook.StoreOptions()
                ) throws {
                    try self.init(
                        path: directoryPath, entities: Self.generatedEntities, options: options)
                }

                /// Opens the store in the directory at a path with all entities of this module,
                /// without blocking the caller's thread.
                convenience init(
                    directoryPath: String, options: Daybook.StoreOptions = Daybook.StoreOptions()
                ) async throws {
                    try await self.init(
                        path: directoryPath, entities: Self.generatedEntities, options: options)
                }
            }

            """
    }
}
#endif
