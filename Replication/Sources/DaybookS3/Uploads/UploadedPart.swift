internal import Foundation

/// A part that the service stored.
struct UploadedPart: Sendable {
    /// The number, from 1 on.
    let number: Int
    /// The tag that the service gave to the part.
    let tag: String

    /// Returns the document that completes an upload of parts.
    static func document(_ parts: [UploadedPart]) -> Data {
        var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        for part in parts {
            let tag = part.tag.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;")
            text += "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        return Data((text + "</CompleteMultipartUpload>").utf8)
    }
}
