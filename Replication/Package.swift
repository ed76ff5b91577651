// swift-tools-version: 6.2
import PackageDescription

// Replication of stores. A nested package, so that an embedded program never builds networking.

/// Whether this is a checked build, in which warnings are errors.
let isChecked = Context.environment["DAYBOOK_CHECKS"] != nil

/// The settings of every target.
let warnings: [SwiftSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []

/// The settings of every library module: Swift 6 mode, internal imports by default, and strict
/// memory safety.
let librarySettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .strictMemorySafety(),
        .treatWarning("StrictMemorySafety", as: .error),
    ]

/// The settings of the tests: Swift 6 mode, without restricted imports.
let testSettings: [SwiftSetting] = warnings + [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
    name: "Replication",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "DaybookNATS", targets: ["DaybookNATS"]),
        .library(name: "DaybookReplication", targets: ["DaybookReplication"]),
        .library(name: "DaybookEventStream", targets: ["DaybookEventStream"]),
        .library(name: "DaybookArchive", targets: ["DaybookArchive"]),
        .library(name: "DaybookS3", targets: ["DaybookS3"]),
        .executable(name: "daybook-archive", targets: ["DaybookArchiveCommand"]),
        .executable(name: "daybook-replicate", targets: ["DaybookReplicateCommand"]),
    ],
    dependencies: [
        // Without traits: the macros would build swift-syntax.
        .package(name: "daybook", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // A client for the part of NATS and JetStream that log replication needs.
        .target(
            name: "DaybookNATS",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: librarySettings),
        // Helpers of the modules below.
        .target(name: "ReplicationSupport", swiftSettings: librarySettings),
        // Archives of stores in an object storage.
        .target(
            name: "DaybookArchive",
            dependencies: [
                "ReplicationSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookReplica", package: "daybook"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: librarySettings),
        // The object storage of S3-compatible services.
        .target(
            name: "DaybookS3",
            dependencies: [
                "DaybookArchive",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: librarySettings),
        // Stores whose log a stream carries to other machines.
        .target(
            name: "DaybookReplication",
            dependencies: [
                "DaybookNATS", "ReplicationSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookReplica", package: "daybook"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: librarySettings),
        // Events of many stores, which a stream carries to one that collects them.
        .target(
            name: "DaybookEventStream",
            dependencies: [
                "DaybookNATS", "ReplicationSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookEvents", package: "daybook"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: librarySettings),
        // The parts that the commands share.
        .target(
            name: "CommandSupport",
            dependencies: [
                .product(name: "Daybook", package: "daybook"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/support", swiftSettings: librarySettings),
        // Archives stores beside their programs, and restores them.
        .executableTarget(
            name: "DaybookArchiveCommand",
            dependencies: [
                "DaybookArchive", "DaybookS3", "CommandSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/archive", swiftSettings: librarySettings),
        // Follows and takes over logs, for stores whose programs do not run.
        .executableTarget(
            name: "DaybookReplicateCommand",
            dependencies: [
                "DaybookReplication", "DaybookArchive", "DaybookS3", "DaybookNATS",
                "CommandSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/replicate", swiftSettings: librarySettings),
        // The program of `Tools/cluster`.
        .executableTarget(
            name: "Cluster",
            dependencies: [
                "DaybookReplication", "DaybookNATS",
                .product(name: "Daybook", package: "daybook"),
            ],
            path: "Samples/Cluster", swiftSettings: librarySettings),
        // Starts and stops servers, and has the objects of the tests.
        .target(
            name: "ReplicationTestSupport",
            dependencies: [
                "DaybookNATS",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Support",
            swiftSettings: testSettings + [.enableUpcomingFeature("InternalImportsByDefault")]),
        .testTarget(
            name: "DaybookNATSTests",
            dependencies: [
                "DaybookNATS", "ReplicationTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookEventStreamTests",
            dependencies: [
                "DaybookEventStream", "DaybookNATS", "ReplicationTestSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookEvents", package: "daybook"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookArchiveTests",
            dependencies: [
                "DaybookArchive", "ReplicationTestSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookReplica", package: "daybook"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookS3Tests",
            dependencies: [
                "DaybookS3", "DaybookArchive", "DaybookArchiveCommand", "ReplicationTestSupport",
                .product(name: "DaybookReplica", package: "daybook"),
                .product(name: "Daybook", package: "daybook"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "DaybookReplicationTests",
            dependencies: [
                "DaybookReplication", "DaybookArchive", "DaybookReplicateCommand", "DaybookNATS",
                "ReplicationTestSupport",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookReplica", package: "daybook"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: testSettings),
    ]
)
