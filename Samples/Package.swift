// swift-tools-version: 6.2
import PackageDescription

// The samples use only the public module, like any user of the package. The macro trait is off,
// because an optimized build with it takes about a quarter of an hour instead of minutes.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "daybook-samples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "archive", targets: ["Archive"]),
        .executable(name: "live-query", targets: ["LiveQuery"]),
        .executable(name: "time-machine", targets: ["TimeMachine"]),
    ],
    dependencies: [.package(name: "daybook", path: "..", traits: [])],
    targets: [
        // Debian's package index as a store.
        .executableTarget(
            name: "Archive",
            dependencies: [.product(name: "Daybook", package: "daybook")],
            path: "Archive", resources: [.copy("Excerpt")], swiftSettings: settings),
        .testTarget(
            name: "ArchiveTests",
            dependencies: ["Archive", .product(name: "Daybook", package: "daybook")],
            path: "ArchiveTests", swiftSettings: settings),
        // A departure board that is redrawn when its query's result changes.
        .executableTarget(
            name: "LiveQuery",
            dependencies: [.product(name: "Daybook", package: "daybook")],
            path: "LiveQuery", swiftSettings: settings),
        .testTarget(
            name: "LiveQueryTests",
            dependencies: ["LiveQuery", .product(name: "Daybook", package: "daybook")],
            path: "LiveQueryTests", swiftSettings: settings),
        // A wiki with a readable history and undo.
        .executableTarget(
            name: "TimeMachine",
            dependencies: [.product(name: "Daybook", package: "daybook")],
            path: "TimeMachine", swiftSettings: settings),
        .testTarget(
            name: "TimeMachineTests",
            dependencies: ["TimeMachine", .product(name: "Daybook", package: "daybook")],
            path: "TimeMachineTests", swiftSettings: settings),
    ]
)
