import ItemStore
import Testing

@Suite struct StoreTests {
  @Test func `a store that is not there is empty`() throws {
    #expect(try ItemStore(path: "/nowhere/items.json").all(Item.self).isEmpty)
  }
}
