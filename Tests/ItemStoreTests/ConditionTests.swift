import TestSupport
import Testing

@testable import ItemStore

@Suite struct ConditionTests {
  /// The record that the conditions are tried on.
  private static let record = #"""
    {"id": 7, "title": "Café au lait", "number": 12.0, "due": "2026-12-01", "price": 1.50,
     "big": 123456789012345678901234567890, "done": true, "none": null, "text": "12", "empty": "",
     "tags": ["a", {"b": "\u0063"}], "nfd": "Cafe\u0301", "a b": 1, "twice": 1, "twice": 2}
    """#

  private static func matches(_ text: String) throws -> Bool {
    let document = try Document(Bytes(#"{"items": [\#(record)]}"#))
    let condition = try Condition(text).of(Item.schema)
    return condition.matches(StoredRecord(document, document.list(Item.schema), 0))
  }

  @Test(arguments: [
    "number=12", "number = 12", "number>= +012 ", "number!=13", "number<13", "number<=12",
    "number>11", "number>-1", "number>=12", "number \u{a0}>= \u{2003}12", "id=7", "id!=-7",
    "price=1.5", "price<1.51", "price~1.50", "price>= 1.5", "price=+01.50", "price >= 1.5",
    "price!=abc", "price<1e99999999999", "big>123456789012345678901234567889",
    "big=1.2345678901234567890123456789e29", "big>9223372036854775807",
    "title=Café au lait", "title = Café au lait", "title!=Café", "title!=café au lait", "title<D",
    "title>B", "title>=Café", "title<=Café au lait", "title~CAFÉ", "title~Au L", "title~",
    "title ~  au l", "title!~tea", "title!= =x", "title!=Café au lait ",
    "due>2026-11-30", "due<2026-12-02", "due<=2026-12-01", "due~2026",
    "text=12", "text!=12.0", "text!= 12", "text!=+12", "text<2", "text>1", "text~1", "empty=",
    "empty~", "empty<=", "empty!=x",
    "done=true", "done~TR", "none=null", #"tags=["a",{"b":"c"}]"#, #"tags~"B":"C""#, "nfd!=Café",
    "a b=1", "twice=2", "title!=", "title~é au", "title>=", "text<3",
  ])
  func `a record meets it`(_ condition: String) throws {
    #expect(try Self.matches(condition))
  }

  @Test(arguments: [
    "number=13", "number!=12", "number<12", "number>12", "number<=11", "number>=13", "id=-7",
    "id<7", "price=1.51", "price>+1.50",
    "big=123456789012345678901234567891", "big<0", "title=café au lait", "title=Café",
    "title= Café au lait", "title!=Café au lait", "title<Café", "title>D", "title~tea",
    "title!~LAIT", "due>2026-12-01",
    "text=12.0", "text= 12", "text=+12", "text>2", "text!=12", "empty!=", "empty>", "empty<",
    "empty=x", "empty!~", "nfd=Café", "twice=1", "done=false", "title!~",
  ])
  func `a record does not meet it`(_ condition: String) throws {
    #expect(try !Self.matches(condition))
  }

  @Test(arguments: ["=", "!=", "<", "<=", ">", ">=", "~", "!~"])
  func `a record without the field meets nothing`(_ comparison: String) throws {
    for value in ["", "0", "a", "null"] {
      #expect(try !Self.matches("missing\(comparison)\(value)"))
      #expect(try !Self.matches("Title\(comparison)\(value)"))
    }
  }

  @Test(
    arguments: [
      Row("equal", "a=b", ["a", "="]), Row("not equal", "a!=b", ["a", "!="]),
      Row("less or equal", "a<=b", ["a", "<="]), Row("greater or equal", "a>=b", ["a", ">="]),
      Row("not contains", "a!~b", ["a", "!~"]), Row("contains", "a~=b", ["a", "~"]),
      Row("the first operator ends the field", "a=b<c", ["a", "="]),
      Row("blanks around the operator are dropped", " a = b", [" a", "="]),
      Row("other scripts", "日本=b", ["日本", "="]),
      Row("a value that joins the operator", "a=\u{301}", ["a", "="]),
      Row("a skin tone as value", "a~🏽", ["a", "~"]),
      Row("a joiner as value", "a!~\u{200d}", ["a", "!~"]),
      Row("a vowel sign as value", "a<ि", ["a", "<"]),
      Row("no operator", "a", nil), Row("no field", "=b", nil), Row("nothing", "", nil),
      Row("an exclamation mark alone", "a!b", nil),
      Row("an exclamation mark at the end", "a!", nil),
    ] as [Row<String, [String]?>])
  func `field and operator are told apart`(_ row: Row<String, [String]?>) {
    let condition = try? Condition(row.input)
    #expect(condition.map { [$0.field, $0.comparison.rawValue] } == row.output)
  }

  @Test(
    arguments: [
      Row("an unequal of other languages", "id<>2", "<>"),
      Row("one for a text", "title<>Milk", "<>"),
      Row("one for an own field", "shelf<>2", "<>"), Row("two equals signs", "id==1", "=="),
      Row("equals before greater", "id=>2", "=>"), Row("equals before less", "number=<3", "=<"),
      Row("a strict unequal", "title!==Milk", "!=="),
      Row("one with blanks around it", "title !== Milk", "!=="),
      Row("one twice", "title>=>x", ">=>"), Row("a doubled not-contains", "title!~~x", "!~~"),
      Row("blanks before the value", "title != =x", "!="),
      Row("a word for a number", "number>=ten", "number, not 'ten'"),
      Row("no number", "number<", "number, not ''"), Row("a fraction", "id=1.0", "id, not '1.0'"),
      Row("an exponent", "number<1e3", "number, not '1e3'"),
      Row("more than 64 bits", "number<9223372036854775808", "number, not '9223372036854775808'"),
      Row("contains for a number", "number~1", "number ~"),
      Row("contains not for an id", "id !~ 1", "id !~"),
    ] as [Row<String, String>])
  func `what would select everything by mistake is refused`(_ row: Row<String, String>) {
    do throws(Condition.Problem) {
      _ = try Condition(row.input).of(Item.schema)
      Issue.record("taken: \(row.input)")
    } catch {
      let found =
        switch error {
        case .malformed: "malformed"
        case .unknownOperator(let operators): operators
        case .notAWholeNumber(let field, let value): "\(field), not '\(value)'"
        case .noText(let field, let comparison): "\(field) \(comparison.rawValue)"
        }
      #expect(found == row.output)
    }
  }

  @Test(arguments: [
    "taskid=5F2A91C4-0c5e-4a47-9d0e-2f4f5b8e7a10", "taskid>=5F2A91C4", "taskid<5F2B", "taskid~F2A",
    "taskid!=5f2a", "number=12",
  ])
  func `a task's id is compared ignoring case`(_ text: String) throws {
    let record =
      #"{"taskid": "5f2A91c4-0c5e-4a47-9d0e-2f4f5b8e7a10", "tasknote": "a", "number": 12.0}"#
    let document = try Document(Bytes(#"{"tasks": [\#(record)]}"#))
    let condition = try Condition(text).of(ToDoTask.schema)
    #expect(condition.matches(StoredRecord(document, document.list(ToDoTask.schema), 0)))
  }

  @Test func `text that combines with nothing before it is found`() throws {
    #expect(try Self.matches("nfd~\u{301}"))
    #expect(try !Self.matches("title~\u{301}"))
  }

  @Test func `values are sorted numbers first, numbers by value and text by code point`() throws {
    let sorted = [
      "-1e400", "-2", "-0.5", "0", "0.001", "2", "10", "1e2", "123456789012345678901234567890",
      #""""#, #""10""#, #""2""#, #""B""#, #""a""#, #""ab""#, "null", "true", #""z""#, #""é""#,
      #""日""#, #""🎉""#,
    ]
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed))
      let shuffled = sorted.shuffled(using: &random)
      let records = shuffled.enumerated().map {
        #"{"id": \#($0), "title": "", "number": 0, "x": \#($1)}"#
      }
      let document = try Document(Bytes(#"{"items": [\#(records.joined(separator: ","))]}"#))
      let list = document.list(Item.schema)
      let values = try shuffled.indices.map {
        (shuffled[$0], try #require(FieldValue(StoredRecord(document, list, $0), "x")))
      }
      #expect(values.sorted { $0.1.sortsBefore($1.1) }.map(\.0) == sorted)
    }
  }

  @Test func `numbers that are equal sort neither way`() throws {
    let document = try Document(
      Bytes(
        #"{"items": [{"id": 1, "title": "", "number": 2.0}, {"id": 2, "title": "", "number": 20e-1}]}"#
      ))
    let list = document.list(Item.schema)
    let values = try (0..<2).map {
      try #require(FieldValue(StoredRecord(document, list, $0), "number"))
    }
    #expect(!values[0].sortsBefore(values[1]) && !values[1].sortsBefore(values[0]))
  }

  @Test func `conditions select records, all of them must hold, and named ones too`() throws {
    let folder = try Sandbox(Sandbox.seed)
    let conditions = try ["number>3", "title~B"].map { try Condition($0).of(Item.schema) }
    var selector = Query(conditions: conditions)
    #expect(
      try folder.store.select(selector, of: Item.schema).decoded(as: Item.self).map(\.id) == [3])
    selector.conditions.removeLast()
    selector.targets = try ["3", "1", "2"].map { try RecordReference($0, of: Item.schema) }
    #expect(
      try folder.store.select(selector, of: Item.schema).decoded(as: Item.self).map(\.id) == [3, 2])
    let change = try folder.store.delete(selector, from: Item.schema)
    #expect(change.touched.decoded(as: Item.self).map(\.id) == [3, 2])
    #expect(try folder.store.all(Item.self).map(\.id) == [1])
  }
}
