// swift-tools-version: 6.2
// A program of somebody else that uses the library, to see that only what is public is needed. `.ci/run`
// copies this folder, says where the package `items` is, and adds the example of the README.
import Foundation
import PackageDescription

let items: Package.Dependency =
  if let repository = Context.environment["ITEMS_REPOSITORY"] {
    .package(url: repository, exact: "1.0.0")
  } else {
    .package(name: "items", path: Context.environment["ITEMS_PACKAGE"] ?? "../..")
  }
let example = "\(Context.packageDirectory)/Sources/Example"

let package = Package(
  name: "client",
  platforms: [.macOS(.v13)],
  dependencies: [items],
  targets: (FileManager.default.fileExists(atPath: example) ? ["Client", "Example"] : ["Client"])
    .map {
      .executableTarget(name: $0, dependencies: [.product(name: "ItemStore", package: "items")])
    }
)
