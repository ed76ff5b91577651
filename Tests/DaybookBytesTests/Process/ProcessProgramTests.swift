import DaybookBytes
import Foundation
import Testing

struct ProcessProgramTests {
    @Test func `the folder of the running program exists`() throws {
        let folder = try #require(ProcessProgram.folder)
        #expect(folder.hasPrefix("/"))
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder))
        #expect(isFolder.boolValue)
    }

    @Test func `only files with the permission are executable`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        try Data("#!/bin/sh\n".utf8).write(to: file)
        #expect(!ProcessProgram.isExecutable(file.path))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.path)
        #expect(ProcessProgram.isExecutable(file.path))
        #expect(!ProcessProgram.isExecutable(folder.path))
        #expect(!ProcessProgram.isExecutable(folder.path + "/none"))
    }

    @Test func `a missing program replaces nothing`() {
        let answer = ProcessProgram.replace(with: "/nowhere/none", arguments: ["none", "a b"])
        #expect(answer == -Int(ENOENT))
    }

    @Test func `a variable of the environment has its value`() {
        let environment = ProcessInfo.processInfo.environment
        #expect(ProcessEnvironment.value("PATH") == environment["PATH"])
        #expect(ProcessEnvironment.value("DAYBOOK_NO_SUCH_VARIABLE") == nil)
    }
}
