import Hummingbird

/// The files of the page, which are a part of the program.
struct PageFiles {
    /// A file with its media type.
    struct File: Sendable {
        var bytes: [UInt8]
        var mediaType: String
    }

    /// The file at a path of a URL; nil if there is none.
    static func file(at path: String) -> File? {
        guard let bytes = contents[path == "/" ? "/index.html" : path] else { return nil }
        let mediaType =
            path.hasSuffix(".js")
            ? "text/javascript; charset=utf-8"
            : path.hasSuffix(".css") ? "text/css; charset=utf-8" : "text/html; charset=utf-8"
        return File(bytes: bytes, mediaType: mediaType)
    }

    /// The paths with the contents that the compiler embedded.
    static let contents: [String: [UInt8]] = [
        "/changes.js": PackageResources.changes_js,
        "/commits.js": PackageResources.commits_js,
        "/completion.js": PackageResources.completion_js,
        "/edit.js": PackageResources.edit_js,
        "/element.js": PackageResources.element_js,
        "/entities.js": PackageResources.entities_js,
        "/index.html": PackageResources.index_html,
        "/interface.js": PackageResources.interface_js,
        "/main.js": PackageResources.main_js,
        "/measure.js": PackageResources.measure_js,
        "/object.js": PackageResources.object_js,
        "/query.js": PackageResources.query_js,
        "/route.js": PackageResources.route_js,
        "/server.js": PackageResources.server_js,
        "/store.js": PackageResources.store_js,
        "/style.css": PackageResources.style_css,
        "/table.js": PackageResources.table_js,
        "/timeline.js": PackageResources.timeline_js,
        "/values.js": PackageResources.values_js,
        "/work.js": PackageResources.work_js,
    ]
}
