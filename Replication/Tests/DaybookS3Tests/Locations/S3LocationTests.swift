import Daybook
import Testing

@testable import DaybookS3

@Suite struct S3LocationTests {
    @Test func `all parts of a location are read`() throws {
        let location = try S3Location(
            "s3://backups//notes/daily/?endpoint=http://127.0.0.1:9000&region=eu-central-1",
            environment: [:])
        #expect(location.bucket == "backups")
        #expect(location.prefix == "notes/daily")
        #expect(location.region == "eu-central-1")
        #expect(location.endpoint.description == "http://127.0.0.1:9000")
        #expect(location.addressing == .path)
        #expect(location.description == "s3://backups/notes/daily")
        #expect(location.hostHeader == "127.0.0.1:9000")
        #expect(location.path("notes/a b") == "/backups/notes/a%20b")
    }

    @Test func `Amazon is the default`() throws {
        let location = try S3Location("s3://backups", environment: [:])
        #expect(location.prefix.isEmpty)
        #expect(location.region == "us-east-1")
        #expect(location.endpoint.description == "https://s3.us-east-1.amazonaws.com")
        #expect(location.addressing == .virtualHost)
        #expect(location.hostHeader == "backups.s3.us-east-1.amazonaws.com")
        #expect(location.path(nil) == "/")
    }

    @Test func `a bucket with dots is named in the path`() throws {
        let location = try S3Location("s3://my.backups?region=eu-west-1", environment: [:])
        #expect(location.addressing == .path)
        #expect(location.hostHeader == "s3.eu-west-1.amazonaws.com")
        #expect(location.path("k") == "/my.backups/k")
    }

    @Test func `the environment completes a location`() throws {
        var environment = [
            "AWS_DEFAULT_REGION": "eu-west-2", "AWS_ENDPOINT_URL": "https://s3.example.com/",
        ]
        var location = try S3Location("s3://backups", environment: environment)
        #expect(location.region == "eu-west-2")
        #expect(location.endpoint.description == "https://s3.example.com")
        environment["AWS_REGION"] = "eu-west-3"
        environment["AWS_ENDPOINT_URL_S3"] = "http://[::1]:9000"
        location = try S3Location("s3://backups", environment: environment)
        #expect(location.region == "eu-west-3")
        #expect(location.hostHeader == "[::1]:9000")
        location = try S3Location(
            "s3://backups?endpoint=https%3A%2F%2Fa.example:443&region=x", environment: environment)
        #expect(location.region == "x")
        #expect(location.endpoint.description == "https://a.example")
    }

    @Test(arguments: [
        "", "backups", "http://backups", "s3://", "s3:///backups", "s3://ab", "s3://Backups",
        "s3://back_ups", "s3://-backups", "s3://backups-", "s3://back..ups", "s3://192.168.0.1",
        "s3://backups/../a", "s3://backups/a\u{1}", "s3://backups?", "s3://backups?color=red",
        "s3://backups?region", "s3://backups?region=", "s3://backups?region=a&region=b",
        "s3://backups?region=a/b", "s3://backups?endpoint=ftp://a", "s3://backups?endpoint=http://",
        "s3://backups?endpoint=http://a:0", "s3://backups?endpoint=http://a:b",
        "s3://backups?endpoint=http://a/b", "s3://backups?endpoint=http://[::1",
        "s3://backups?endpoint=http://[::1]a", "s3://backups?endpoint=http://user:pass@a",
        "s3://backups?endpoint=http://a%23b", "s3://backups?endpoint=%ZZ",
        "s3://" + String(repeating: "a", count: 64),
    ])
    func `a text that is not a location is refused`(_ text: String) throws {
        // An empty question is no error.
        if text == "s3://backups?" {
            #expect(try S3Location(text, environment: [:]).bucket == "backups")
            return
        }
        let error = try storageFailure { () throws(DaybookError) in
            _ = try S3Location(text, environment: [:])
        }
        #expect(error.code == .invalidArgument)
        #expect(error.message.hasSuffix("."))
        #expect(!error.message.contains("pass"))
    }
}

@Suite struct StorageLocationTests {
    @Test(arguments: [
        "s3://AKIA:SECRET@bucket/x", "https://user:SECRET@host/b", "s3://AKIA:SECRET/a@bucket/x",
        "s3://SECRET@bucket", "s3:///AKIA:SECRET@bucket", "s3://AKIA:SECRET?a@bucket/x",
        "s3://AKIA:SECRET/SECRET@bucket", "https://SECRET/a?b@host", "SECRET@\u{301}host",
    ])
    func `a text with a user is refused and not shown`(_ text: String) async throws {
        let error = try await storageFailure { _ = try StorageLocation.open(text) }
        #expect(error.code == .invalidArgument)
        #expect(!"\(error) \(error.details)".contains("SECRET"))
        #expect(error.message.contains("Use s3://"))
    }

    @Test func `a text without a user is shown`() async throws {
        let error = try await storageFailure { _ = try StorageLocation.open("ftp://host/a?b") }
        #expect(error.message.contains("\"ftp://host/a\" is no location"))
    }

    @Test func `an at sign in a prefix is no user`() throws {
        #expect(try S3Location("s3://bucket/me@host", environment: [:]).prefix == "me@host")
    }
}

@Suite struct S3CredentialsTests {
    @Test func `descriptions and dumps show no secret`() {
        let credentials = S3Credentials(
            accessKey: "ACCESS", secretKey: "SECRET", sessionToken: "TOKEN")
        var dumped = ""
        dump(credentials, to: &dumped)
        dump([credentials], to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\([credentials])", dumped]
        {
            #expect(text.contains("S3Credentials"))
            for secret in ["ACCESS", "SECRET", "TOKEN"] { #expect(!text.contains(secret)) }
        }
    }

    @Test func `credentials come from the environment`() throws {
        var environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        var credentials = try S3Credentials.fromEnvironment(environment)
        #expect(credentials.accessKey == "a")
        #expect(credentials.secretKey == "b")
        #expect(credentials.sessionToken == nil)
        environment["AWS_SESSION_TOKEN"] = "c"
        credentials = try S3Credentials.fromEnvironment(environment)
        #expect(credentials.sessionToken == "c")
    }

    @Test(arguments: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
    func `a missing variable is named`(_ name: String) throws {
        var environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        environment[name] = ""
        let error = try storageFailure { () throws(DaybookError) in
            _ = try S3Credentials.fromEnvironment(environment)
        }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(name))
    }

    @Test(
        arguments: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
        ["HIDDEN\r", "HIDDEN\n", " HIDDEN", "HID\u{7F}DEN", "HIDDEN\u{0}"])
    func `a variable with a control character is named and not shown`(
        _ name: String, _ value: String
    ) throws {
        var environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        environment[name] = value
        let error = try storageFailure { () throws(DaybookError) in
            _ = try S3Credentials.fromEnvironment(environment)
        }
        #expect(error.code == .invalidArgument)
        #expect(error.details["variable"] == name)
        #expect(!"\(error) \(error.details)".contains("HID"))
    }
}

@Suite struct ObjectKeyTests {
    @Test(arguments: ["a", "a/b", "ä ö+%?#&=*", "...", "a/.b", String(repeating: "a", count: 1024)])
    func `a key is accepted`(_ key: String) {
        #expect(throws: Never.self) { try ObjectKey.check(key) }
    }

    @Test(arguments: [
        "", "/a", "a/", "a//b", ".", "a/..", "./a", "a\u{0}", "a\nb",
        String(repeating: "ä", count: 513), "a//\u{301}b",
    ])
    func `a key that a server may change is refused`(_ key: String) throws {
        let error = try storageFailure { () throws(DaybookError) in try ObjectKey.check(key) }
        #expect(error.code == .invalidArgument)
    }
}
