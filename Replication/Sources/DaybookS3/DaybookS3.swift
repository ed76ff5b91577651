// DaybookS3: an `ObjectStorage` in a bucket of a service that speaks the protocol of Amazon S3. It
// must not know stores or the objects of an archive.
//
// Invariants:
// - An object is only created with `If-None-Match: *`, so the service decides which writer wins.
// - The signature of each request includes the SHA-256 of its payload.
// - Memory is bounded: each answer has a limit, and an upload has a few parts at a time.
// - No input traps. An answer that is not understood is a typed error.
// - Every attempt has a time limit, and every call ends when its task is cancelled.
// - No secret, signature or authorization is part of an error or a description.
