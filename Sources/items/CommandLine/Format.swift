/// How records are printed.
enum Format: String, CaseIterable {
  case table, tsv, csv, json, jsonl, ids
}

/// How standard input is read.
enum InputFormat: String, CaseIterable {
  case auto, text, tsv, csv, json
}
