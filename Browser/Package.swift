// swift-tools-version: 6.2
import PackageDescription

// The browser of stores. A nested package, so that a program with a store builds no web server.

/// Whether this is a checked build, in which warnings are errors.
let isChecked = Context.environment["DAYBOOK_CHECKS"] != nil

/// The settings of every target.
let warnings: [SwiftSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []

/// The settings of every module but the tests: Swift 6 mode, internal imports by default, and
/// strict memory safety.
let moduleSettings: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .strictMemorySafety(),
        .treatWarning("StrictMemorySafety", as: .error),
    ]

/// The settings of the tests: Swift 6 mode, without restricted imports.
let testSettings: [SwiftSetting] = warnings + [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
    name: "Browser",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "daybook-browse", targets: ["DaybookBrowse"]),
        .executable(name: "browse-fixture", targets: ["BrowseFixture"]),
    ],
    dependencies: [
        // Without traits: the macros would build swift-syntax.
        .package(name: "daybook", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
        // The HTTP server. Parsing hostile requests is no task of a database.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // Tells requests that wait that the server ends.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // Creates a file that nobody else can read, without unsafe code.
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    ],
    targets: [
        // Answers the requests of the page, and serves the page.
        .target(
            name: "DaybookBrowser",
            dependencies: [
                .product(name: "Daybook", package: "daybook"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            resources: [.embedInCode("Page")],
            swiftSettings: moduleSettings),
        // The command `daybook-browse`, which `daybook browse` runs.
        .executableTarget(
            name: "DaybookBrowse",
            dependencies: [
                "DaybookBrowser",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: moduleSettings),
        // Creates the stores of the page's tests.
        .executableTarget(
            name: "BrowseFixture",
            dependencies: [.product(name: "Daybook", package: "daybook")],
            path: "Tests/Fixture", swiftSettings: moduleSettings),
        .testTarget(
            name: "DaybookBrowserTests",
            dependencies: [
                "DaybookBrowser", "BrowseFixture",
                .product(name: "Daybook", package: "daybook"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: testSettings),
    ]
)
