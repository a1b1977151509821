import TestSupport
import Testing

@testable import ItemStore

/// A model is a schema and a row of the set that a store knows: any number of fields, names of any length.
@Suite struct ThirdModelTests {
  private static let recipes = Schema(
    list: "recipes", noun: "recipe",
    fields: [
      Schema.Field("id", .wholeNumber), Schema.Field("title", .text),
      Schema.Field("createdAt", .text), Schema.Field("servings", .wholeNumber),
      Schema.Field("minutes", .wholeNumber),
    ])

  private static let file = """
    {
      "lastID": 2,
      "items": [
        {"id": 1, "title": "Milk", "number": 3}
      ],
      "recipes": [
        {"id": 2, "title": "Soup", "createdAt": "Monday", "servings": 4, "minutes": 30}
      ]
    }

    """

  private let folder: Sandbox
  private let store: Store

  init() throws {
    folder = try Sandbox(Self.file)
    var store = folder.store
    store.schemas = Schema.all + [Self.recipes]
    self.store = store
  }

  private func member(_ name: String, _ number: Int) -> Member { Member(name, number: number) }

  private func add(_ title: String, _ minutes: Int) throws -> Outcome {
    try store.add(
      Batch(
        Self.recipes,
        [
          [
            Member("title", text: title), Member("createdAt", text: "today"),
            Member("servings", number: 2), Member("minutes", number: minutes),
          ]
        ]), to: Self.recipes)
  }

  /// All fields of all recipes.
  private func rows(_ query: Query = Query()) throws -> [String] {
    let selection = try store.select(query, of: Self.recipes)
    return selection.records.map { record in
      let stored = StoredRecord(selection.document, selection.list, record)
      return Self.recipes.fields.map {
        $0.kind == .text ? stored.text($0.name) : String(stored.number($0.name))
      }.joined(separator: " ")
    }
  }

  private func query(_ id: String) throws -> Query {
    Query(targets: [try RecordReference(id, of: Self.recipes)])
  }

  @Test func `records are added and listed`() throws {
    let outcome = try add("Cake", 60)
    #expect(outcome.touched.records.count == 1)
    #expect(try rows() == ["2 Soup Monday 4 30", "3 Cake today 2 60"])
    #expect(
      try folder.content.contains(
        #"    {"id": 3, "title": "Cake", "createdAt": "today", "servings": 2, "minutes": 60}"#))
  }

  @Test func `records are found`() throws {
    _ = try add("Cake", 60)
    #expect(try rows(query("3")) == ["3 Cake today 2 60"])
    #expect(throws: Rejection.self) { try rows(query("1")) }
  }

  @Test func `each field is updated alone`() throws {
    let changes = [
      Member("title", text: "Broth"), Member("createdAt", text: "Tuesday"),
      Member("servings", number: 5), Member("minutes", number: 45),
    ]
    for change in changes {
      _ = try store.update(query("2"), of: Self.recipes, with: Batch(Self.recipes, [[change]]))
    }
    #expect(try rows() == ["2 Broth Tuesday 5 45"])
    #expect(try folder.content.contains(#""title": "Milk", "number": 3"#))
  }

  @Test func `records are deleted, one or all`() throws {
    for title in ["Cake", "Bread", "Salad"] { _ = try add(title, 60) }
    _ = try store.delete(query("3"), from: Self.recipes)
    #expect(try rows().map { $0.prefix(1) } == ["2", "4", "5"])
    _ = try store.deleteAll(of: Self.recipes)
    #expect(try rows() == [])
    #expect(try store.all(Item.self).count == 1)
  }

  @Test func `many records are read, laid out alike or not`() throws {
    let alike = (1...500).map {
      #"{"id": \#($0), "title": "t", "createdAt": "c", "servings": \#($0 * 2), "minutes": \#($0 * 3)}"#
    }
    let other = #"{"minutes": 3, "createdAt": "c", "servings": 2, "title": "t", "id": 900}"#
    let records = alike[..<250] + [other] + alike[250...]
    try folder.write(Array(#"{"recipes": [\#(records.joined(separator: ", "))]}"#.utf8))
    let expected = (1...500).map { "\($0) t c \($0 * 2) \($0 * 3)" }
    #expect(try rows() == expected[..<250] + ["900 t c 2 3"] + expected[250...])
  }

  @Test func `what is wrong is found in every field`() throws {
    let record = #"{"id": 1, "title": "t", "createdAt": "c", "servings": 1, "minutes": 1}"#
    for (old, new, reason) in [
      (#", "minutes": 1"#, "", #"the recipe has no "minutes""#),
      (#""c""#, "5", #""createdAt" must be a string, not 5"#),
      (#""servings": 1"#, #""servings": 1, "servings": 2"#, #"duplicate key "servings""#),
      (#""createdAt""#, #""createdAs""#, #"the recipe has no "createdAt""#),
    ] {
      let text =
        #"{"recipes": [\#(record), \#(record.replacing("1, \"title", with: "2, \"title").replacing(old, with: new))]}"#
      try folder.write(Array(text.utf8))
      let error = #expect(throws: StoreError.self) { try rows() }
      #expect(error?.description.hasSuffix(reason) == true, "\(error?.description ?? "")")
    }
  }
}
