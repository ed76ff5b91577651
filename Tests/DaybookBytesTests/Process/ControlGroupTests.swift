import DaybookBytes
import Testing

@Suite struct ControlGroupTests {
    private func limits(_ groups: String, _ files: [String: String]) -> [Int] {
        ControlGroup.limited(groups: groups) { files[$0] }.map(\.limitBytes)
    }

    @Test func `limits of version 2 apply from the group up to the root`() {
        let files = [
            "/sys/fs/cgroup/memory.max": "max\n",
            "/sys/fs/cgroup/user/memory.max": "4096\n",
            "/sys/fs/cgroup/user/app/memory.max": "8192\n",
        ]
        #expect(limits("0::/user/app\n", files) == [8192, 4096])
        #expect(limits("0::/user/app/absent\n", files) == [8192, 4096])
        #expect(limits("0::/\n", ["/sys/fs/cgroup/memory.max": "1024"]) == [1024])
    }

    @Test func `limits of version 1 are those of the memory controller`() {
        let files = [
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/app/memory.limit_in_bytes": "2048\n",
            "/sys/fs/cgroup/memory/other/memory.limit_in_bytes": "1\n",
        ]
        let groups = "12:cpu,cpuacct:/other\n4:memory:/app\n1:name=systemd:/other\n"
        #expect(limits(groups, files) == [2048, 9_223_372_036_854_771_712])
    }

    @Test func `texts that are no limit are ignored`() {
        for text in ["", "max", "-1", "0", "many\n", "99999999999999999999999"] {
            #expect(limits("0::/", ["/sys/fs/cgroup/memory.max": text]) == [], "\(text)")
        }
        for groups in ["", "\n", "0:", "0::", "nonsense", "::::"] {
            #expect(limits(groups, [:]) == [], "\(groups)")
        }
    }

    @Test func `cached file contents are available, and so is everything below the limit`() {
        var files = [
            "/sys/fs/cgroup/app/memory.max": "1000\n",
            "/sys/fs/cgroup/app/memory.current": "900\n",
            "/sys/fs/cgroup/app/memory.stat":
                "anon 500\ninactive_file 100\nactive_file 200\ntotal_active_file 7\n",
        ]
        func available() -> Int? {
            ControlGroup.limited(groups: "0::/app\n") { files[$0] }.first?
                .availableBytes { files[$0] }
        }
        #expect(available() == 1000 - (900 - 300))
        files["/sys/fs/cgroup/app/memory.stat"] = nil
        #expect(available() == 100)
        // A group may exceed a limit that was lowered.
        files["/sys/fs/cgroup/app/memory.current"] = "5000"
        #expect(available() == 0)
        files["/sys/fs/cgroup/app/memory.current"] = "nonsense"
        #expect(available() == nil)
    }

    @Test func `version 1 counts the groups below a group`() {
        let files = [
            "/sys/fs/cgroup/memory/app/memory.limit_in_bytes": "1000",
            "/sys/fs/cgroup/memory/app/memory.usage_in_bytes": "700",
            "/sys/fs/cgroup/memory/app/memory.stat":
                "inactive_file 1\ntotal_inactive_file 50\ntotal_active_file 50\n",
        ]
        let groups = ControlGroup.limited(groups: "4:memory:/app") { files[$0] }
        #expect(groups.first?.availableBytes { files[$0] } == 1000 - 600)
    }

    @Test func `hostile numbers of a group cause no trap`() {
        for used in ["-1", "\(Int.max)", "\(Int.min)", "0"] {
            for cached in ["-5", "\(Int.max)", "\(Int.min)", "x", "99999999999999999999"] {
                let files = [
                    "/sys/fs/cgroup/memory.max": "\(Int.max)",
                    "/sys/fs/cgroup/memory.current": used,
                    "/sys/fs/cgroup/memory.stat":
                        "inactive_file \(cached)\nactive_file \(cached)\n",
                ]
                let group = ControlGroup.limited(groups: "0::/") { files[$0] }.first
                let available = group?.availableBytes { files[$0] }
                #expect(available.map { $0 >= 0 } ?? (Int(used) ?? 0 < 0), "\(used) \(cached)")
            }
        }
    }
}
