import { beforeEach, expect, it } from "vitest";
import type { Isolation } from "../../../src/process/isolation/isolation.js";
import { processCgroup } from "../../../src/process/isolation/process-cgroup.js";
import { createTools } from "../../../src/tools/index.js";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { newId } from "../../../src/util/ids.js";
import {
  confinedTo,
  isBubblewrapPermitted,
  isIsolationPermitted,
  permittedWays,
} from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

/** Harmless where no limit holds: it ends at 600, and its processes end with the call. */
const FORKS = `perl -e '
  my $n = 1;
  for (1..600) { my $p = fork; last unless defined $p; if (!$p) { sleep 60; exit } $n++ }
  print "processes $n\\n";
'`;
const LIMIT = 60;
/** Out of the limit by way of the cgroups' files. */
const LEAVING =
  "for procs in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs); do echo 0 > $procs; done 2>/dev/null;";

const cgroup = await processCgroup(newId(), LIMIT);
await cgroup?.remove();

beforeEach((context) => {
  context.skip(!isIsolationPermitted, "This host confines no commands.");
  const isRoot = process.getuid?.() === 0;
  context.skip(isRoot && cgroup === undefined, "The tests run as root, and may make no pids cgroup here.");
});

/** RLIMIT_NPROC counts the tool that isolates, too: without a cgroup there are some less. */
function expectLimited(output: string): void {
  const processes = Number(/processes (\d+)/.exec(output)?.[1]);
  expect(processes).toBeGreaterThan(LIMIT / 2);
  expect(processes).toBeLessThanOrEqual(LIMIT);
}

async function inWay(isolation: Isolation, cmd: string, root: string): Promise<string> {
  const { output } = await runCommand({
    argv: ["/bin/sh", "-c", `exec ${cmd}`],
    isolation,
    cwd: root,
    env: confinedTo(root).env,
    signal: new AbortController().signal,
    maxOutputBytes: 10_000,
  });
  return output;
}

it("a command has no more processes than its limit says, also as root and in each way of isolation", async () => {
  const root = await workspace();
  for (const network of [false, true]) {
    for (const way of permittedWays(confinedTo(root, { network, maxProcesses: LIMIT }))) {
      expectLimited(await inWay(way, FORKS, root));
    }
  }
});

it("a command of the bash tool stays below maxProcesses, and cannot leave its cgroup in bubblewrap", async (context) => {
  context.skip(!isBubblewrapPermitted, "This host has no bubblewrap.");
  const { bash } = createTools({ rootDir: await workspace(), maxProcesses: LIMIT });
  const output = await bash.execute({ cmd: `${LEAVING} ${FORKS}` });
  expectLimited(String(output));
});

it("two commands at once have a limit each", async () => {
  const root = await workspace();
  const [way] = permittedWays(confinedTo(root, { maxProcesses: LIMIT }));
  const outputs = await Promise.all([1, 2].map(() => inWay(way as Isolation, FORKS, root)));
  for (const output of outputs) expectLimited(output);
});
