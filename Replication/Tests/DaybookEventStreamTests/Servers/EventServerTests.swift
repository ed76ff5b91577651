import Daybook
import DaybookEvents
@testable import DaybookEventStream
import DaybookNATS
import Foundation
import ReplicationTestSupport
import Testing

/// Events of devices in a stream of real servers. The tests run one after another.
@Suite(.serialized, .enabled(if: ServerProgram.isInstalled), .timeLimit(.minutes(30)))
struct EventServerTests {
    private static func send(_ store: Store, to stream: EventStream) async throws {
        let shipper = try EventShipper(store, of: [Measure.self], to: stream, options: .quick)
        try await shipper.sendPending()
        shipper.close()
    }

    @Test func `devices send, and a collector appends and removes`() async throws {
        try await TestServer.with { server in
            let connection = try await server.connect()
            let stream = EventStream(try JetStream(connection), name: "EVENTS")
            try await stream.create(replicaCount: 1)
            let devices = try (0..<3).map { _ in try Store.device() }
            for (index, device) in devices.enumerated() {
                try device.append("\(index)", 0..<20)
                try await Self.send(device, to: stream)
            }
            // An event that is longer than a message of the server.
            let text = (0..<150_000).map { String($0 &* 2_654_435_761, radix: 36) }.joined()
            #expect(text.utf8.count > 1 << 20)
            try await devices[0].append(Measure(text, 20))
            try await devices[0].sync()
            try await Self.send(devices[0], to: stream)
            let store = try Store.collecting()
            var options = EventCollectorOptions()
            options.purgesCollected = true
            let collector = try EventCollector(store, from: stream, options: options)
            let run = Task { try await collector.run() }
            #expect(try await holds { collector.status.events.appendedCount == 61 })
            try devices[0].append("0", 21..<30)
            try await Self.send(devices[0], to: stream)
            #expect(try await holds { collector.status.events.appendedCount == 70 })
            #expect(
                try await holds {
                    try await stream.jetStream.stream(named: "EVENTS").state.messageCount == 0
                })
            // The subjects are empty now.
            for (index, device) in devices.enumerated() {
                try device.append("\(index)", 30..<32)
                try await Self.send(device, to: stream)
            }
            #expect(try await holds { collector.status.events.appendedCount == 76 })
            let found = try await store.measures()
            #expect(found.filter { $0.device == text }.map(\.number) == [20])
            #expect(
                found.filter { $0.device == "0" }.map(\.number)
                    == Array(0..<20) + Array(21..<32))
            #expect(collector.status.events.duplicateCount == 0)
            #expect(collector.status.foreignMessageCount == 0)
            run.cancel()
            _ = await run.result
            #expect(try await collector.lag() == 0)
            for store in devices + [store] { try await store.close() }
            await connection.close()
        }
    }

    @Test func `a device needs permission for its own subject only`() async throws {
        let device = try Store.device()
        let identity = device.identity
        let subject = "daybook.events.EVENTS.\(identity)"
        let permissions =
            "permissions: { publish: { allow: [\"\(subject)\","
            + " \"$JS.API.DIRECT.GET.EVENTS.\(subject)\"] }, subscribe: { allow: [\"_INBOX_d.>\"] }"
            + " }"
        let lines = [
            "authorization { users = [{ user: admin, password: a },"
                + " { user: device, password: d, \(permissions) }] }"
        ]
        try await TestServer.with(lines: lines) { server in
            func connect(_ user: String, _ password: String) async throws -> NATSConnection {
                var options = try server.options()
                options.authentication = .userAndPassword(user: user, password: password)
                if user == "device" { options.inboxPrefix = "_INBOX_d" }
                return try await server.connect(options)
            }
            let admin = try await connect("admin", "a")
            let stream = EventStream(try JetStream(admin), name: "EVENTS")
            try await stream.create(replicaCount: 1)
            let connection = try await connect("device", "d")
            let own = EventStream(try JetStream(connection), name: "EVENTS")
            for number in 0..<3 {
                try device.append("a", number..<(number + 1))
                try await Self.send(device, to: own)
            }
            // The replies to others, and events of others.
            for subject in ["_INBOX.>", "daybook.events.EVENTS.*", "$JS.API.>"] {
                let denied = await failure { _ = try await connection.subscribe(to: subject) }
                #expect(denied?.code == .permissionDenied)
            }
            // Another device with the same credentials.
            let other = try Store.device()
            try other.append("b", 0..<1)
            let shipper = try EventShipper(
                other, of: [Measure.self], to: own, options: .quick)
            await #expect(throws: (any Error).self) {
                try await shipper.sendPending(timeout: .milliseconds(500))
            }
            let store = try Store.collecting()
            try await EventCollector(store, from: stream).collectPending()
            #expect(try await store.measures().map(\.device) == ["a", "a", "a"])
            for store in [store, device, other] { try await store.close() }
            await connection.close()
            await admin.close()
        }
    }

    /// The variable `DAYBOOK_DEVICES` is the number of devices; 20 without it. Prints rates.
    @Test func `the events of many devices survive the loss of servers`() async throws {
        let count =
            ProcessInfo.processInfo.environment["DAYBOOK_DEVICES"].flatMap { Int($0) } ?? 20
        try await TestServer.withCluster { servers in
            let connection = try await servers[0].connect(try TestServer.options(servers))
            let stream = EventStream(try JetStream(connection), name: "EVENTS")
            try await eventually {
                await failure { try await stream.create() } == nil ? true : nil
            }
            let store = try Store.collecting()
            let collector = try EventCollector(store, from: stream)
            let devices = try (0..<count).map { _ in try Store.device() }
            let run = Task { try await collector.run() }
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, device) in devices.enumerated() {
                    group.addTask {
                        let shipper = try EventShipper(
                            device, of: [Measure.self], to: stream, options: .quick)
                        for round in 0..<5 {
                            try device.append("\(index)", (round * 20)..<(round * 20 + 20))
                            try await shipper.sendPending(timeout: .seconds(300))
                        }
                    }
                }
                try await Task.sleep(for: .milliseconds(300))
                servers[1].kill()
                try await Task.sleep(for: .seconds(1))
                try servers[1].start()
                try await group.waitForAll()
            }
            let sent = start.duration(to: .now)
            #expect(try await holds { collector.status.events.appendedCount == count * 100 })
            let collected = start.duration(to: .now)
            FileHandle.standardError.write(
                Data(
                    "\(count) devices: \(count * 100) events sent in \(sent), collected in"
                        .utf8))
            FileHandle.standardError.write(Data(" \(collected)\n".utf8))
            run.cancel()
            _ = await run.result
            var numbers: [String: [Int]] = [:]
            for measure in try await store.measures() {
                numbers[measure.device, default: []].append(measure.number)
            }
            #expect(numbers.count == count)
            #expect(numbers.values.allSatisfy { $0 == Array(0..<100) })
            for store in devices + [store] { try await store.close() }
            await connection.close()
        }
    }
}
