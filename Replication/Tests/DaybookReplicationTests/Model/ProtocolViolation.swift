/// A property of the log that does not hold in a state.
enum ProtocolViolation {
    case acknowledgedCommitIsMissing
    case commitIsInLogAfterFailure
    case valueIsInLogTwice
    case termsDoNotAscend
    case commitOfAnotherWriter
    case readersDisagree
    case writerNeverFinishes
}
