// DaybookBrowse: the command `daybook-browse`, which starts the server of `DaybookBrowser` and
// opens its page. It must not read the store.
//
// Invariants:
// - The token is in no URL, in no argument of a process, and in no file that others can read.
