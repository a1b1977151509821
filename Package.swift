// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety()]

let package = Package(
  name: "items",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "ItemStore", targets: ["ItemStore", "ItemStoreChanges"]),
    .executable(name: "items", targets: ["items"]),
  ],
  targets: [
    .target(name: "CItemStore"),
    .target(name: "ItemStore", dependencies: ["CItemStore"], swiftSettings: strict),
    // A module of its own: the concurrency runtime alone makes starting a program take 10% longer.
    .target(
      name: "ItemStoreChanges", dependencies: ["CItemStore", "ItemStore"], swiftSettings: strict),
    .target(name: "CItems"),
    .executableTarget(
      name: "items", dependencies: ["CItems", "ItemStore"],
      // Files that CItems makes a part of the program.
      exclude: [
        "Completion/items.bash", "Completion/items.fish", "Completion/items.zsh", "Help/items.1",
      ],
      swiftSettings: strict,
      // Loading shared libraries is most of what starting a Swift program costs, so the tool has none.
      linkerSettings: [
        .unsafeFlags(
          ["-static-executable", "-use-ld=lld", "-Xlinker", "-s"],
          .when(platforms: [.linux], configuration: .release))
      ]),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "ItemStoreTests", dependencies: ["ItemStore", "ItemStoreChanges", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "itemsTests", dependencies: ["items", "ItemStore", "TestSupport"],
      swiftSettings: strict),
  ]
)
