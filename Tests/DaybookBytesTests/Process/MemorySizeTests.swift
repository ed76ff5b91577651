import DaybookBytes
import Testing

@Suite struct MemorySizeTests {
    @Test func `the lowest limit applies, and at most the physical memory`() {
        #expect(MemorySize.limited(physicalBytes: 100, by: []) == 100)
        #expect(MemorySize.limited(physicalBytes: 100, by: [70, 50, 200]) == 50)
        #expect(MemorySize.limited(physicalBytes: 100, by: [200]) == 100)
    }

    @Test func `this machine has memory`() {
        #expect(MemorySize.bytes >= 1 << 20)
    }

    private func limits(_ groups: String, _ files: [String: String]) -> [Int] {
        MemorySize.controlGroupLimits(groups: groups) { files[$0] }
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
}
