import Foundation

/// Opens the page in the default web browser.
///
/// The token must not be in a URL, because URLs are in histories and in the arguments of processes.
/// So the browser opens a file that only the user can read, which sends the token to the server.
enum BrowserLaunch {
    /// The time after which the file is removed, whether or not the browser has opened it.
    private static let lifetime = Duration.seconds(20)

    /// Opens the page. Returns false if no web browser can be started.
    static func open(_ url: String, token: String) -> Bool {
        let folder = FileManager.default.temporaryDirectory
            .appending(component: "daybook-browse-\(UUID().uuidString)")
        let file = folder.appending(component: "open.html")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            try TokenFile(path: file.path).write(page(url, token: token))
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [Self.program, file.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                try? FileManager.default.removeItem(at: folder)
                return false
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            return false
        }
        Task {
            try? await Task.sleep(for: lifetime)
            try? FileManager.default.removeItem(at: folder)
        }
        return true
    }

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
