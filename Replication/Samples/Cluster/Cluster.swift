// A store on several machines. `Tools/cluster` runs this program as two writers, of which one is a
// standby, and as ten followers, and kills the writer.

import Daybook
import DaybookNATS
import DaybookReplication
import Foundation

@main
enum Cluster {
    /// `Cluster create|writer|follower DIRECTORY SERVER…`: a writer and a follower run until a
    /// signal ends them.
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 3, let mode = arguments.first else {
            return end("usage: Cluster create|writer|follower DIRECTORY SERVER…")
        }
        let directory = arguments[arguments.startIndex + 1]
        do {
            let connection = try await NATSConnection.connect(
                try NATSOptions(servers: Array(arguments.dropFirst(2))))
            let log = ReplicatedLog(try JetStream(connection), stream: "CLUSTER")
            switch mode {
            case "create": try await log.create()
            case "writer": try await write(to: log, in: directory)
            default: try await follow(log, in: directory)
            }
        } catch {
            end("\(error)")
        }
    }

    private static func end(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(1)
    }

    /// Writes readings, and prints the number of each one that was acknowledged.
    private static func write(to log: ReplicatedLog, in directory: String) async throws {
        var options = ReplicationOptions()
        // Short, for the demonstration: longer than the election of a leader in this cluster.
        options.takeover = .afterSilence(.seconds(5))
        options.heartbeatInterval = .seconds(1)
        let name = URL(fileURLWithPath: directory).lastPathComponent
        let writer = try await ReplicatedStore.open(
            directoryPath: directory, entities: Reading.self, log: log, options: options)
        let readings = writer.store.box(for: Reading.self)
        var number = try await readings.count()
        print("\(name) took over with term \(writer.status.term), after \(number) readings")
        while true {
            number += 1
            try await readings.put(Reading(writer: name, number: number))
            print(number)
            fflush(nil)
        }
    }

    /// Follows the log, and prints the number of readings and the hash of the state each second.
    private static func follow(_ log: ReplicatedLog, in directory: String) async throws {
        let follower = try await Follower.open(
            directoryPath: directory, entities: Reading.self, log: log)
        let readings = follower.store.box(for: Reading.self)
        while true {
            print(try await readings.count(), String(try await follower.stateHash(), radix: 16))
            fflush(nil)
            try await Task.sleep(for: .seconds(1))
        }
    }
}
