extension NearName {
    /// The name that may have been meant as a question behind an error, or nothing:
    /// ` Did you mean 'size'?`
    static func question(_ name: String, among candidates: some Sequence<String>) -> String {
        nearest(to: name, among: candidates.sorted()).map { " Did you mean '\($0)'?" } ?? ""
    }
}
