import Foundation
import Testing

@testable import DaybookS3

/// The examples of Amazon's documentation of signatures in the authorization header.
@Suite struct RequestSignerTests {
    private let signer = RequestSigner(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1", time: SigningTime(Date(timeIntervalSince1970: 1_369_353_600)))
    private let host = HeaderField("host", "examplebucket.s3.amazonaws.com")

    private func signature(
        _ method: String, _ path: String, query: [QueryItem] = [], headers: [HeaderField] = [],
        body: String = ""
    ) -> String? {
        let signed = signer.sign(
            method: method, path: URIEncoding.encode(path, keepsSlashes: true),
            query: QueryItem.text(query), headers: headers + [host],
            payloadHash: Hexadecimal.hash(Data(body.utf8)))
        let authorization = signed.first { $0.name == "authorization" }?.value
        return authorization.flatMap { $0.components(separatedBy: "Signature=").last }
    }

    @Test func `a request for a part of an object has the published signature`() {
        #expect(
            signature("GET", "/test.txt", headers: [HeaderField("range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test func `a request that stores an object has the published signature`() {
        let headers = [
            HeaderField("date", "Fri, 24 May 2013 00:00:00 GMT"),
            HeaderField("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ]
        #expect(
            signature("PUT", "/test$file.text", headers: headers, body: "Welcome to Amazon S3.")
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test func `a parameter without a value has the published signature`() {
        #expect(
            signature("GET", "/", query: [QueryItem("lifecycle")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test func `a list has the published signature`() {
        #expect(
            signature("GET", "/", query: [QueryItem("prefix", "J"), QueryItem("max-keys", "2")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func `the session token is signed`() {
        var credentials = signer.credentials
        credentials.sessionToken = "token"
        let signed = RequestSigner(
            credentials: credentials, region: signer.region, time: signer.time
        ).sign(method: "GET", path: "/", query: "", headers: [host], payloadHash: "")
        #expect(signed.contains(HeaderField("x-amz-security-token", "token")))
        #expect(signed.last?.value.contains(";x-amz-security-token,") == true)
    }

    @Test func `a time is in UTC without separators`() {
        let time = SigningTime(Date(timeIntervalSince1970: 1_709_210_096.9))
        #expect(time.text == "20240229T123456Z")
        #expect(time.day == "20240229")
    }
}

@Suite struct URIEncodingTests {
    @Test func `all bytes except unreserved ones are encoded`() {
        #expect(
            URIEncoding.encode("aZ09-._~ /+%ü", keepsSlashes: true) == "aZ09-._~%20/%2B%25%C3%BC")
        #expect(URIEncoding.encode("a/b=c&*") == "a%2Fb%3Dc%26%2A")
    }

    @Test func `the form encoding of lists is decoded`() {
        #expect(URIEncoding.decodeForm("a+b%2Bc%25%c3%BC/d") == "a b+c%ü/d")
    }

    @Test(arguments: ["%", "%2", "%zz", "%FF", "%-1"])
    func `incomplete escapes and other bytes than text are refused`(_ text: String) {
        #expect(URIEncoding.decodeForm(text) == nil)
    }

    @Test func `parameters are sorted by their encoded names`() {
        let items = [QueryItem("b", "2"), QueryItem("a b"), QueryItem("a-b", "ä/")]
        #expect(QueryItem.text(items) == "a%20b=&a-b=%C3%A4%2F&b=2")
    }
}
