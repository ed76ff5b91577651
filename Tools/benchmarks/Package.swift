// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Daybook never build SQLite or LMDB bindings. It uses only
// the public API.

let package = Package(
    name: "daybook-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without the macro, because swift-syntax takes longer to build than everything else.
        .package(name: "daybook", path: "../..", traits: [])
    ],
    targets: [
        // The system's SQLite; nothing else.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // The system's LMDB; nothing else.
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        // The function around the part of a process that the counters count.
        .target(name: "CCounted"),
        // The workload, the peers, one measurement a process, and the comparison that starts them.
        .executableTarget(
            name: "Benchmark",
            dependencies: [
                .product(name: "Daybook", package: "daybook"), "CCounted", "CSQLite", "CLMDB",
            ]),
    ]
)
