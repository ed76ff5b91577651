import DaybookRows

extension ExchangeFormat {
    /// Parses `csv` or `jsonl`. Throws an ``ArgumentProblem`` with the formats.
    static func parse(argument text: String) throws -> ExchangeFormat {
        guard let format = ExchangeFormat(rawValue: text) else {
            throw ArgumentProblem("give csv or jsonl")
        }
        return format
    }
}

extension ImportOptions.Conflict {
    /// Parses `error`, `replace` or `ignore`. Throws an ``ArgumentProblem`` with the choices.
    static func parse(argument text: String) throws -> ImportOptions.Conflict {
        guard let conflict = ImportOptions.Conflict(rawValue: text) else {
            throw ArgumentProblem("give error, replace or ignore")
        }
        return conflict
    }
}
