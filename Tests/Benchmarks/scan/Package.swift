// swift-tools-version: 6.2
import PackageDescription

// A package of its own over the same sources: as part of a test the scanner would be built otherwise.
let package = Package(
  name: "scan",
  platforms: [.macOS(.v13)],
  targets: [
    .target(name: "CItemStore"),
    .target(name: "ItemStore", dependencies: ["CItemStore"]),
    .executableTarget(name: "scan", dependencies: ["ItemStore"]),
  ]
)
