/// The answers to the requests of an upload in parts.
enum UploadSteps {
    /// The answer to the begin.
    static let begin = ScriptedServer.Step.status(
        200,
        "<InitiateMultipartUploadResult><UploadId>u/1</UploadId></InitiateMultipartUploadResult>")
    /// The answer to a part.
    static let part = ScriptedServer.Step.status(200, headers: ["ETag: \"tag\""])
    /// The answer to the completion.
    static let complete = ScriptedServer.Step.status(
        200, "\n <CompleteMultipartUploadResult><ETag>t</ETag></CompleteMultipartUploadResult>")
    /// The answer to the removal of the parts.
    static let abort = ScriptedServer.Step.status(204)
}
