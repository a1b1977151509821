import TestSupport
import Testing

@testable import ItemStore

@Suite struct JSONNumberTests {
  private static let zeros = String(repeating: "0", count: 3000)

  @Test(
    arguments: [
      Row("a digit", "7", 7), Row("a fraction of nothing", "2.0", 2),
      Row("an exponent", "1e2", 100),
      Row("an exponent with a plus", "1E+2", 100), Row("a negative exponent", "100e-2", 1),
      Row("a point that an exponent takes away", "1.25e2", 125),
      Row("zeros in front of a fraction", "0.0012e4", 12), Row("zero", "0", 0),
      Row("negative zero", "-0", 0), Row("zero with any exponent", "0e99999999999999999999", 0),
      Row("zero with a negative exponent", "-0.000e-99999999999999999999", 0),
      Row("the greatest", "9223372036854775807", .max),
      Row("the greatest, with a point", "9.223372036854775807e18", .max),
      Row("one past the greatest", "9223372036854775808", nil),
      Row("the least", "-9223372036854775808", .min),
      Row("the least, with a point", "-922337203685477580.80E+1", .min),
      Row("one past the least", "-9223372036854775809", nil),
      Row("ten to the 18", "1e18", 1_000_000_000_000_000_000),
      Row("ten to the 19", "1e19", nil), Row("20 digits", "10000000000000000000", nil),
      Row("30 digits", "123456789012345678901234567890", nil),
      Row("30 digits that come to one", "100000000000000000000000000000e-29", 1),
      Row("an exponent of 20 digits", "1e12345678901234567890", nil),
      Row("a negative exponent of 20 digits", "1e-12345678901234567890", nil),
      Row("3,000 zeros and an exponent", "1" + zeros + "e-3000", 1),
      Row("3,000 zeros behind the point", "0." + zeros + "1e3001", 1),
      Row("an exponent with 3,000 zeros", "5e" + zeros + "1", 50),
      Row("an exponent of 3,000 digits", "5e1" + zeros, nil),
      Row("a half", "0.5", nil), Row("nearly whole", "1.0000000000000000000000001", nil),
      Row("whole but for the exponent", "15e-1", nil),
    ] as [Row<String, Int?>])
  func `the whole value is found under every spelling`(_ row: Row<String, Int?>) throws {
    let number = try #require(JSONNumber(row.input))
    #expect(number.integer == row.output)
  }

  @Test(arguments: [
    Row("too large", "1e19", true), Row("too small", "-1e300", true), Row("a half", "0.5", false),
    Row("much less than one", "1e-99999999999999999999", false), Row("zero", "0.0e-5", true),
  ])
  func `whole is told from too large`(_ row: Row<String, Bool>) {
    #expect(JSONNumber(row.input)?.isWhole == row.output)
  }

  @Test(arguments: [
    "", "-", "1.", "1e", "01", "+1", " 1", "1 ", "1,", "0x1", "1\0", "a", "\"1\"", "NaN",
  ])
  func `text that is no number is none`(_ text: String) {
    #expect(JSONNumber(text) == nil)
  }

  @Test func `every spelling of a whole number has its value`() {
    Fuzz.run(2000) { random in
      let number = random.once(in: 8) ? .min : random.int(.min ... .max) >> random.int(0...63)
      let spelling = random.spelled(number)
      try check(JSONNumber(spelling)?.integer == number, spelling)
    }
  }

  @Test func `numbers are ordered by value`() {
    Fuzz.run(3000) { random in
      // Few digits, so that equal values are not rare.
      let texts = (0..<2).map { _ in
        let sign = random.once(in: 2) ? "-" : ""
        let whole = random.pick(["0", "1", "10", "12", "100", "120", "\(random.int(1...9999))"])
        let fraction = random.pick(["", ".0", ".5", ".05", ".50", ".\(random.int(0...99))"])
        let exponent = random.pick([
          "", "e0", "e1", "E+2", "e-1", "e-3", "e\(random.int(-30...30))",
        ])
        return sign + whole + fraction + exponent
      }
      let numbers = texts.compactMap { JSONNumber($0) }
      let models = texts.map { ReferenceNumber($0) }
      try check(numbers.count == 2, "\(texts)")
      let (isLess, isGreater) = (
        models[0].isLess(than: models[1]), models[1].isLess(than: models[0])
      )
      try check((numbers[0] < numbers[1]) == isLess, "\(texts[0]) < \(texts[1])")
      try check((numbers[1] < numbers[0]) == isGreater, "\(texts[1]) < \(texts[0])")
      try check((numbers[0] == numbers[1]) == !(isLess || isGreater), "\(texts[0]) == \(texts[1])")
    }
  }

  @Test func `exponents past 64 bits are compared too`() throws {
    let ascending = [
      "-1e100000000000000000001", "-10e99999999999999999999", "-1e99999999999999999999", "-1",
      "-1e-99999999999999999999", "0", "1e-100000000000000000000000000000000000",
      "1e-100000000000000000001", "1e-100000000000000000000", "1e-99999999999999999999",
      "1e-99999999999999999", "0.5", "1e99999999999999998", "1e99999999999999999",
      "1e100000000000000000", "1e99999999999999999998", "1.5e99999999999999999998",
      "1e99999999999999999999", "1e100000000000000000000", "1e100000000000000000001",
      "1e100000000000000000000000000000000000",
    ]
    let numbers = ascending.compactMap { JSONNumber($0) }
    #expect(numbers.count == ascending.count)
    for (i, a) in numbers.enumerated() {
      for (j, b) in numbers.enumerated() {
        #expect((a < b) == (i < j), "\(ascending[i]) \(ascending[j])")
        #expect((a == b) == (i == j), "\(ascending[i]) \(ascending[j])")
      }
    }
  }

  @Test(arguments: [
    ("10e99999999999999999999", "1e100000000000000000000"),
    ("0.1e100000000000000000", "1e99999999999999999"),
    ("0.01e100000000000000001", "1e99999999999999999"),
    ("100e-100000000000000000002", "1e-100000000000000000000"),
    ("10e-100000000000000000000", "1e-99999999999999999999"),
    ("100e-100000000000000000000000000000000000", "1e-99999999999999999999999999999999998"),
    ("1e000000000000000000000005", "100000"), ("0e99999999999999999999", "-0e-1"),
  ])
  func `numbers with huge exponents are equal by value`(_ a: String, _ b: String) throws {
    #expect(try #require(JSONNumber(a)) == #require(JSONNumber(b)))
  }
}
