import Foundation

/// Opens the page in the default web browser.
///
/// The token must not be in a URL, because URLs are in histories and in the arguments of processes.
/// So the browser opens a file that only the user can read, which sends the token to the server.
/// The file exists as long as the command runs.
struct BrowserLaunch {
    private let folder = FileManager.default.temporaryDirectory
        .appending(component: "daybook-browse-\(UUID().uuidString)")

    /// Starts the browser and does not wait for it. Returns false if it cannot be started.
    func open(_ url: String, token: String) -> Bool {
        let file = folder.appending(component: "open.html")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            try TokenFile(path: file.path).write(Self.page(url, token: token))
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [Self.program, file.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        } catch {
            remove()
            return false
        }
        return true
    }

    /// Removes the file with the token.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static var program: String {
        #if os(macOS)
        "open"
        #else
        "xdg-open"
        #endif
    }

    private static func page(_ url: String, token: String) -> String {
        """
        <!doctype html>
        <meta name="referrer" content="no-referrer">
        <title>Daybook</title>
        <form method="post" action="\(url)session">
        <input type="hidden" name="token" value="\(token)">
        <button>Open the store</button>
        </form>
        <script>document.forms[0].submit()</script>
        """
    }
}
