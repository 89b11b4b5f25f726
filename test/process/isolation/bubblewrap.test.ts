import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Confinement } from "../../../src/process/isolation/isolation.js";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { bubblewrapWay, confinedTo, isBubblewrapPermitted } from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

async function run(cmd: string, changes: Partial<Confinement> & { root: string }) {
  const confinement = confinedTo(changes.root, changes);
  return runCommand({
    argv: ["bash", "-c", cmd],
    isolation: bubblewrapWay(confinement),
    cwd: confinement.cwd,
    env: confinement.env,
    signal: new AbortController().signal,
    maxOutputBytes: 100_000,
  });
}

describe.runIf(isBubblewrapPermitted)("a command in bubblewrap", () => {
  it("writes in its root, and nowhere else", async () => {
    const root = await workspace();
    const outside = await workspace();
    await run(
      `echo in > f; for d in / /etc /usr /var ${outside} ${homedir()}; do echo out > $d/treadle-escape; done`,
      {
        root,
      },
    );
    expect(await readFile(join(root, "f"), "utf8")).toBe("in\n");
    for (const folder of ["/", "/etc", "/usr", "/var", outside, homedir()]) {
      expect(existsSync(join(folder, "treadle-escape"))).toBe(false);
    }
  });

  it("writes nowhere else through a link either", async () => {
    const root = await workspace();
    const outside = await workspace({ f: "untouched" });
    await symlink(outside, join(root, "link"));
    await symlink("/etc", join(root, "etc"));
    await run("echo out > link/f; echo out > etc/treadle-escape", { root });
    expect(await readFile(join(outside, "f"), "utf8")).toBe("untouched");
    expect(existsSync("/etc/treadle-escape")).toBe(false);
  });

  it("sees nothing of the host's /tmp, and of the home folder only what programs need", async () => {
    const root = await workspace();
    const outside = await workspace({ secret: "host's" });
    const home = await workspace({ ".ssh/id_rsa": "key", ".gitconfig": "[user]\n", "other/project": "x" });
    const env = { ...confinedTo(root).env, HOME: home };
    const { output } = await run(`cat ${outside}/secret; ls -A /tmp ${home}; cat ${home}/.ssh/id_rsa`, {
      root,
      env,
    });
    expect(output).not.toContain("host's");
    expect(output).not.toContain("key\n");
    expect(output).not.toContain("other");
    expect(output).toContain(".gitconfig");
  });

  it("has a process table and a /proc of its own, no capabilities, and no way to get any", async () => {
    const root = await workspace();
    const { output } = await run(
      "grep -E '^(CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp):' /proc/self/status; ls /proc | grep -c '^[0-9]'; unshare -Ur true; echo unshare $?",
      { root },
    );
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
      expect(output).toMatch(new RegExp(`^${set}:\\t0+$`, "m"));
    }
    expect(output).toMatch(/^NoNewPrivs:\t1$/m);
    expect(output).toMatch(/^Seccomp:\t2$/m);
    expect(Number(/^(\d+)$/m.exec(output)?.[1])).toBeLessThan(10);
    expect(output).toMatch(/^unshare 1$/m);
  });

  it("inherits no descriptor but its three streams", async () => {
    const root = await workspace();
    // The fourth is the folder that `ls` reads.
    const { output } = await run("exec ls /proc/self/fd", { root });
    expect(output).toBe("0\n1\n2\n3\n");
  });

  it.each([
    ["vsock", 40],
    ["packet", 17],
    ["alg", 38],
    ["bluetooth", 31],
    ["can", 29],
  ])("opens no socket of the family %s", async (_, family) => {
    const root = await workspace();
    const opened = (number: number) =>
      `perl -e 'socket(my $s, ${number}, 3, 0) || socket($s, ${number}, 1, 0) ? print "open" : print "closed: ", $!+0'`;
    expect((await run(opened(family), { root })).output).toBe("closed: 97");
    expect((await run(opened(1), { root })).output).toBe("open");
    expect((await run(opened(2), { root })).output).toBe("open");
  });

  it("reaches no socket file of the host's services", async () => {
    const root = await workspace();
    const outside = await workspace();
    const path = join(outside, "service.sock");
    const server = createServer((socket) => socket.end("reached"));
    server.listen(path);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const ask = `perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new("${path}") or exit 3; print <$s>'; echo $?`;
    for (const network of [false, true]) {
      expect((await run(ask, { root, network })).output).toBe("3\n");
    }
  });

  it("does not see what is hidden, and cannot change, replace or uncover it", async () => {
    const root = await workspace({ "service.db": "rows", ".service/state": "x", "flow.tsx": "code" });
    const hidden = [join(root, "service.db"), join(root, ".service")];
    const frozen = [join(root, "flow.tsx")];
    const { output } = await run(
      "cat service.db; ls -A .service; rm -f service.db; mv service.db x; echo y > service.db; rm -rf .service;" +
        " umount service.db; mount --bind f service.db; echo z > flow.tsx; mv -f f flow.tsx; cat flow.tsx; echo end",
      { root, hidden, frozen },
    );
    expect(output).not.toContain("rows");
    expect(output).not.toContain("state");
    expect(output).toMatch(/codeend\n$/);
    expect(await readFile(join(root, "service.db"), "utf8")).toBe("rows");
    expect(await readFile(join(root, ".service/state"), "utf8")).toBe("x");
    expect(await readFile(join(root, "flow.tsx"), "utf8")).toBe("code");
  });

  it("ends with all its processes, those that emptied their environment and left the session too", async () => {
    const root = await workspace();
    for (const network of [false, true]) {
      await run("env -i setsid sh -c 'while :; do date +%s%N > alive; sleep 0.02; done' & sleep 0.3", {
        root,
        network,
      });
      const before = await readFile(join(root, "alive"), "utf8");
      await new Promise<void>((resolve) => spawn("sleep", ["0.3"]).on("exit", () => resolve()));
      expect(await readFile(join(root, "alive"), "utf8")).toBe(before);
    }
  });

  it("cannot use more memory than its limit", async () => {
    const root = await workspace();
    const { output } = await run("perl -e 'my $x = \"x\" x 400_000_000; print length $x'; echo ' end'", {
      root,
      maxMemoryBytes: 200 * 1_024 * 1_024,
    });
    expect(output).not.toContain("400000000");
    expect(output).toMatch(/end\n$/);
  });

  it("commits in a worktree, without a say in the hooks and settings of its repository", async () => {
    const repository = await workspace({ "a.txt": "one\n" });
    const git = (cwd: string, ...args: string[]) =>
      new Promise<void>((resolve) =>
        spawn("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
          cwd,
          stdio: "ignore",
        }).on("exit", () => resolve()),
      );
    await git(repository, "init", "-q", "-b", "main");
    await git(repository, "add", ".");
    await git(repository, "commit", "-q", "-m", "first");
    await git(repository, "worktree", "add", "-q", "-b", "work", join(repository, "trees/x"));
    const root = join(repository, "trees/x");
    const env = {
      ...confinedTo(root).env,
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.org",
    };
    const { output } = await run(
      "echo two > b.txt && git add . && git commit -q -m second && git log -1 --format=%s;" +
        " git config core.fsmonitor evil; echo evil > ../../.git/hooks/pre-commit; echo evil >> ../../.git/config; echo evil > ../../a.txt",
      { root, env },
    );
    expect(output).toMatch(/^second\n/);
    expect(await readFile(join(repository, ".git/config"), "utf8")).not.toContain("evil");
    expect(existsSync(join(repository, ".git/hooks/pre-commit"))).toBe(false);
    expect(await readFile(join(repository, "a.txt"), "utf8")).toBe("one\n");
  });

  it("gets no folder of the host by a `.git` file that names one", async () => {
    const root = await workspace();
    const victim = await workspace({ f: "untouched", gitdir: join(root, ".git") });
    await mkdir(join(victim, "worktrees/x"), { recursive: true });
    await writeFile(join(root, ".git"), `gitdir: ${victim}\n`);
    await run(`echo changed > ${victim}/f`, { root });
    expect(await readFile(join(victim, "f"), "utf8")).toBe("untouched");
  });
});

it.skipIf(isBubblewrapPermitted)(
  "bubblewrap is not on this host, so its promises were not tried here",
  () => {
    expect(isBubblewrapPermitted).toBe(false);
  },
);
