import TestSupport
import Testing

@testable import ItemStore

/// A file in some layout, and what it is after each kind of change.
private struct Layout: CustomTestStringConvertible {
  let testDescription: String
  let before: String
  let added: String
  let updated: String
  let deleted: String
  let emptied: String

  init(
    _ name: String, before: String, added: String, updated: String, deleted: String, emptied: String
  ) {
    testDescription = name
    (self.before, self.added, self.updated) = (before, added, updated)
    (self.deleted, self.emptied) = (deleted, emptied)
  }
}

@Suite struct LayoutTests {
  @Test(arguments: Self.layouts)
  private func `a change keeps the layout and all that it does not concern`(_ layout: Layout) throws
  {
    let changes: [(String, (Store) throws -> Void)] = [
      (layout.added, { try $0.create(Item.Draft(title: "New", number: 7)) }),
      (
        layout.updated,
        {
          try $0.update(Item.self, id: 1) {
            $0.title = "a"
            $0.number = 9
          }
        }
      ),
      (layout.deleted, { try $0.delete(Item.self, id: 1) }),
      (layout.emptied, { try $0.deleteAll(Item.self) }),
    ]
    for (expected, change) in changes {
      let folder = try Sandbox(layout.before)
      try change(folder.store)
      #expect(try folder.bytes == Array(expected.utf8))
    }
  }

  private static let layouts = [
    Layout(
      "one line a record",
      before: """
        {
          "lastID": 2,
          "items": [
            {"id": 1, "title": "a", "number": 1},
            {"id": 2, "title": "b", "number": 2}
          ]
        }

        """,
      added: """
        {
          "lastID": 3,
          "items": [
            {"id": 1, "title": "a", "number": 1},
            {"id": 2, "title": "b", "number": 2},
            {"id": 3, "title": "New", "number": 7}
          ]
        }

        """,
      updated: """
        {
          "lastID": 2,
          "items": [
            {"id": 1, "title": "a", "number": 9},
            {"id": 2, "title": "b", "number": 2}
          ]
        }

        """,
      deleted: """
        {
          "lastID": 2,
          "items": [
            {"id": 2, "title": "b", "number": 2}
          ]
        }

        """,
      emptied: """
        {
          "lastID": 2,
          "items": []
        }

        """),
    Layout(
      "one member a line, as jq writes",
      before: """
        {
          "lastID": 2,
          "items": [
            {
              "id": 1,
              "title": "a",
              "number": 1
            },
            {
              "id": 2,
              "title": "b",
              "number": 2
            }
          ]
        }

        """,
      added: """
        {
          "lastID": 3,
          "items": [
            {
              "id": 1,
              "title": "a",
              "number": 1
            },
            {
              "id": 2,
              "title": "b",
              "number": 2
            },
            {
              "id": 3,
              "title": "New",
              "number": 7
            }
          ]
        }

        """,
      updated: """
        {
          "lastID": 2,
          "items": [
            {
              "id": 1,
              "title": "a",
              "number": 9
            },
            {
              "id": 2,
              "title": "b",
              "number": 2
            }
          ]
        }

        """,
      deleted: """
        {
          "lastID": 2,
          "items": [
            {
              "id": 2,
              "title": "b",
              "number": 2
            }
          ]
        }

        """,
      emptied: """
        {
          "lastID": 2,
          "items": []
        }

        """),
    Layout(
      "tabs, and no lastID",
      before: """
        {
        \t"items": [
        \t\t{
        \t\t\t"id": 1,
        \t\t\t"title": "a",
        \t\t\t"number": 1
        \t\t}
        \t]
        }

        """,
      added: """
        {
        \t"items": [
        \t\t{
        \t\t\t"id": 1,
        \t\t\t"title": "a",
        \t\t\t"number": 1
        \t\t},
        \t\t{
        \t\t\t"id": 2,
        \t\t\t"title": "New",
        \t\t\t"number": 7
        \t\t}
        \t]
        }

        """,
      updated: """
        {
        \t"items": [
        \t\t{
        \t\t\t"id": 1,
        \t\t\t"title": "a",
        \t\t\t"number": 9
        \t\t}
        \t]
        }

        """,
      deleted: """
        {
        \t"lastID": 1,
        \t"items": []
        }

        """,
      emptied: """
        {
        \t"lastID": 1,
        \t"items": []
        }

        """),
    Layout(
      "minified",
      before: """
        {"lastID":2,"items":[{"id":1,"title":"a","number":1},{"id":2,"title":"b","number":2}],"tasks":[]}
        """,
      added: """
        {"lastID":3,"items":[{"id":1,"title":"a","number":1},{"id":2,"title":"b","number":2},{"id":3,"title":"New","number":7}],"tasks":[]}
        """,
      updated: """
        {"lastID":2,"items":[{"id":1,"title":"a","number":9},{"id":2,"title":"b","number":2}],"tasks":[]}
        """,
      deleted: """
        {"lastID":2,"items":[{"id":2,"title":"b","number":2}],"tasks":[]}
        """,
      emptied: """
        {"lastID":2,"items":[],"tasks":[]}
        """),
    Layout(
      "one record, minified",
      before: """
        {"items":[{"id":1,"title":"a","number":1}]}
        """,
      added: """
        {"items":[{"id":1,"title":"a","number":1},{"id":2,"title":"New","number":7}]}
        """,
      updated: """
        {"items":[{"id":1,"title":"a","number":9}]}
        """,
      deleted: """
        {"lastID":1,"items":[]}
        """,
      emptied: """
        {"lastID":1,"items":[]}
        """),
    Layout(
      "one line with blanks",
      before: """
        {"items": [{"id": 1, "title": "a", "number": 1}, {"id": 2, "title": "b", "number": 2}]}
        """,
      added: """
        {"items": [{"id": 1, "title": "a", "number": 1}, {"id": 2, "title": "b", "number": 2}, {"id": 3, "title": "New", "number": 7}]}
        """,
      updated: """
        {"items": [{"id": 1, "title": "a", "number": 9}, {"id": 2, "title": "b", "number": 2}]}
        """,
      deleted: """
        {"items": [{"id": 2, "title": "b", "number": 2}]}
        """,
      emptied: """
        {"lastID": 2, "items": []}
        """),
    Layout(
      "one record on one line with blanks",
      before: """
        {"items": [{"id": 1, "title": "a", "number": 1}]}
        """,
      added: """
        {"items": [{"id": 1, "title": "a", "number": 1}, {"id": 2, "title": "New", "number": 7}]}
        """,
      updated: """
        {"items": [{"id": 1, "title": "a", "number": 9}]}
        """,
      deleted: """
        {"lastID": 1, "items": []}
        """,
      emptied: """
        {"lastID": 1, "items": []}
        """),
    Layout(
      "blanks on both sides of everything",
      before: """
        { "items" : [ { "id" : 1 , "title" : "a" , "number" : 1 } , { "id" : 2 , "title" : "b" , "number" : 2 } ] }

        """,
      added: """
        { "items" : [ { "id" : 1 , "title" : "a" , "number" : 1 } , { "id" : 2 , "title" : "b" , "number" : 2 } , { "id" : 3 , "title" : "New" , "number" : 7 } ] }

        """,
      updated: """
        { "items" : [ { "id" : 1 , "title" : "a" , "number" : 9 } , { "id" : 2 , "title" : "b" , "number" : 2 } ] }

        """,
      deleted: """
        { "items" : [ { "id" : 2 , "title" : "b" , "number" : 2 } ] }

        """,
      emptied: """
        { "lastID" : 2, "items" : [] }

        """),
    Layout(
      "CRLF, a byte-order mark and no line end at the end",
      before: """
        \u{feff}{\r
          "lastID": 1,\r
          "items": [\r
            {"id": 1, "title": "a", "number": 1}\r
          ]\r
        }
        """,
      added: """
        \u{feff}{\r
          "lastID": 2,\r
          "items": [\r
            {"id": 1, "title": "a", "number": 1},\r
            {"id": 2, "title": "New", "number": 7}\r
          ]\r
        }
        """,
      updated: """
        \u{feff}{\r
          "lastID": 1,\r
          "items": [\r
            {"id": 1, "title": "a", "number": 9}\r
          ]\r
        }
        """,
      deleted: """
        \u{feff}{\r
          "lastID": 1,\r
          "items": []\r
        }
        """,
      emptied: """
        \u{feff}{\r
          "lastID": 1,\r
          "items": []\r
        }
        """),
    Layout(
      "braces in the line of the brackets",
      before: """
        {
          "items": [{
            "id": 1,
            "title": "a",
            "number": 1
          }, {
            "id": 2,
            "title": "b",
            "number": 2
          }]
        }

        """,
      added: """
        {
          "items": [{
            "id": 1,
            "title": "a",
            "number": 1
          }, {
            "id": 2,
            "title": "b",
            "number": 2
          }, {
            "id": 3,
            "title": "New",
            "number": 7
          }]
        }

        """,
      updated: """
        {
          "items": [{
            "id": 1,
            "title": "a",
            "number": 9
          }, {
            "id": 2,
            "title": "b",
            "number": 2
          }]
        }

        """,
      deleted: """
        {
          "items": [{
            "id": 2,
            "title": "b",
            "number": 2
          }]
        }

        """,
      emptied: """
        {
          "lastID": 2,
          "items": []
        }

        """),
    Layout(
      "one record with its brace in the line of the bracket",
      before: """
        {
          "items": [{
            "id": 1,
            "title": "a",
            "number": 1
          }]
        }

        """,
      added: """
        {
          "items": [{
            "id": 1,
            "title": "a",
            "number": 1
          }, {
            "id": 2,
            "title": "New",
            "number": 7
          }]
        }

        """,
      updated: """
        {
          "items": [{
            "id": 1,
            "title": "a",
            "number": 9
          }]
        }

        """,
      deleted: """
        {
          "lastID": 1,
          "items": []
        }

        """,
      emptied: """
        {
          "lastID": 1,
          "items": []
        }

        """),
    Layout(
      "commas at the start of lines",
      before: """
        { "items":
          [ {"id": 1, "title": "a", "number": 1}
          , {"id": 2, "title": "b", "number": 2}
          ]
        }

        """,
      added: """
        { "items":
          [ {"id": 1, "title": "a", "number": 1}
          , {"id": 2, "title": "b", "number": 2}
          , {"id": 3, "title": "New", "number": 7}
          ]
        }

        """,
      updated: """
        { "items":
          [ {"id": 1, "title": "a", "number": 9}
          , {"id": 2, "title": "b", "number": 2}
          ]
        }

        """,
      deleted: """
        { "items":
          [ {"id": 2, "title": "b", "number": 2}
          ]
        }

        """,
      emptied: """
        { "lastID":
          2, "items":
          []
        }

        """),
    Layout(
      "blank lines between records",
      before: """
        {
          "items": [

            {"id": 1, "title": "a", "number": 1},

            {"id": 2, "title": "b", "number": 2}

          ]
        }

        """,
      added: """
        {
          "items": [

            {"id": 1, "title": "a", "number": 1},

            {"id": 2, "title": "b", "number": 2},

            {"id": 3, "title": "New", "number": 7}

          ]
        }

        """,
      updated: """
        {
          "items": [

            {"id": 1, "title": "a", "number": 9},

            {"id": 2, "title": "b", "number": 2}

          ]
        }

        """,
      deleted: """
        {
          "items": [

            {"id": 2, "title": "b", "number": 2}

          ]
        }

        """,
      emptied: """
        {
          "lastID": 2,
          "items": []
        }

        """),
    Layout(
      "foreign fields, in any order",
      before: """
        {"note": [1, 2.0], "items": [{"x": {"y": [1 ,2]}, "number": 1.0, "title": "a", "z": 1e2, "id": 1},
         {"number":2,"q":null,"title":"b","id":2}], "zeta": {"lastID": 7}}
        """,
      added: """
        {"note": [1, 2.0], "items": [{"x": {"y": [1 ,2]}, "number": 1.0, "title": "a", "z": 1e2, "id": 1},
         {"number":2,"q":null,"title":"b","id":2},
         {"number":7,"title":"New","id":3}], "zeta": {"lastID": 7}}
        """,
      updated: """
        {"note": [1, 2.0], "items": [{"x": {"y": [1 ,2]}, "number": 9, "title": "a", "z": 1e2, "id": 1},
         {"number":2,"q":null,"title":"b","id":2}], "zeta": {"lastID": 7}}
        """,
      deleted: """
        {"note": [1, 2.0], "items": [
         {"number":2,"q":null,"title":"b","id":2}], "zeta": {"lastID": 7}}
        """,
      emptied: """
        {"lastID": 2, "note": [1, 2.0], "items": [], "zeta": {"lastID": 7}}
        """),
  ]
}
