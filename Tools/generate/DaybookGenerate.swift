// DaybookGenerate: the program that the build-tool plugin DaybookGenerator runs, a thin layer over
// DaybookGeneration. It knows arguments, standard error and exit codes, and must not know the
// generated code.
//
// Invariant: no test depends on it. A test bundle that depends on it and has a target that uses the
// plugin would link the program twice.

import DaybookGeneration
import Foundation

@main
enum DaybookGenerate {
    static func main() {
        exit(
            GenerateRun.run(Array(CommandLine.arguments.dropFirst())) { line in
                FileHandle.standardError.write(Data("\(line)\n".utf8))
            })
    }
}
