// DaybookBrowser: the server of `daybook browse`, which shows a store, its history and its files on
// a page. It must not depend on packages other than Daybook and its web server.
//
// Invariants:
// - The server listens on a loopback address, and answers no data without a session.
// - An answer has a bounded size, whatever the store contains; only downloads are whole.
// - `Interface` describes all answers; `interface.js` is generated from it.
