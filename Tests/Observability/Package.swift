// swift-tools-version: 6.2
import PackageDescription

// Tests of DaybookObservability in a package of their own: like any user of the package, it enables
// the trait `Observability`, and builds swift-log and swift-metrics.
let package = Package(
    name: "daybook-observability",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "daybook", path: "../..", traits: ["Observability"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                .product(name: "Daybook", package: "daybook"),
                .product(name: "DaybookObservability", package: "daybook"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            path: "ObservabilityTests",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
    ]
)
