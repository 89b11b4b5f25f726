import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isolationsFor } from "../../src/process/isolation/ways.js";
import { TrustedExecutables } from "../../src/process/trusted-executable.js";
import { runCommand } from "../../src/tools/process/run-command.js";
import { runIsolated } from "../../src/tools/process/run-isolated.js";
import { childEnvironment } from "../../src/tools/process/child-environment.js";
import { createTools } from "../../src/tools/index.js";
import { confinedTo, isIsolationPermitted, openNetwork, permittedWays } from "./support/isolation.js";
import { connectionCounter } from "./support/loopback-server.js";
import { workspace } from "./support/workspace.js";

/** Ordinary ways to open a connection; those whose program is missing here are left out. */
const ways: Record<string, (port: number) => string> = {
  bash: (port) => `exec 5<>/dev/tcp/127.0.0.1/${port} && echo GET >&5 && cat <&5`,
  curl: (port) => `curl -sS --max-time 5 http://127.0.0.1:${port}/`,
  wget: (port) => `wget -q -T 5 -t 1 -O - http://127.0.0.1:${port}/`,
  node: (port) =>
    `node -e 'fetch("http://127.0.0.1:${port}/").then(r => r.text()).then(console.log, () => process.exit(1))'`,
  python3: (port) =>
    `python3 -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:${port}/").read())'`,
  perl: (port) =>
    `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new("127.0.0.1:${port}") or exit 1; print "ok"'`,
  git: (port) => `GIT_ALLOW_PROTOCOL=http git ls-remote http://127.0.0.1:${port}/repo`,
  nc: (port) => `nc -w 2 127.0.0.1 ${port} </dev/null`,
};
const present = Object.entries(ways).filter(([program]) => works(program));

function works(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore", timeout: 100_000 });
    return true;
  } catch (error) {
    return program === "nc" && (error as { code?: unknown }).code !== "ENOENT";
  }
}

function request(cmd: string, cwd: string, allowNetwork: boolean) {
  return {
    argv: ["bash", "-c", cmd],
    cwd,
    env: childEnvironment({}, allowNetwork),
    signal: new AbortController().signal,
    maxOutputBytes: 10_000,
    network: allowNetwork,
  };
}

describe("bash without the network", () => {
  it.each(present)("gets no connection out by %s", async (_, command) => {
    const server = await connectionCounter();
    const cwd = await workspace();
    for (const isolation of permittedWays(confinedTo(cwd))) {
      const result = await runCommand({ ...request(command(server.port), cwd, false), isolation });
      expect(result.began).toBe(true);
      expect(result.exitCode).not.toBe(0);
    }
    expect(server.connections()).toBe(0);
    // The command itself is sound: outside of the isolation it does connect.
    await runCommand(request(command(server.port), cwd, true));
    expect(server.connections()).toBeGreaterThan(0);
  });

  it("either isolates a command or refuses to run it", async () => {
    const server = await connectionCounter();
    const rootDir = await workspace();
    const { bash } = createTools({ rootDir });
    const error = await bash
      .execute({ cmd: `touch ran; ${ways["bash"]?.(server.port)}` })
      .catch((thrown) => thrown);
    const isolated = isIsolationPermitted;
    expect(error).toMatchObject({ code: isolated ? "TOOL_COMMAND_FAILED" : "TOOL_NETWORK_DISABLED" });
    if (isolated) expect(error.message).toContain("; it had no network");
    expect(server.connections()).toBe(0);
  });

  it("has a loopback interface of its own for servers and clients of one command", async () => {
    const cwd = await workspace();
    const program = `
      const server = require("node:http").createServer((_, r) => r.end("inside"));
      server.listen(0, "127.0.0.1", async () => {
        const response = await fetch("http://127.0.0.1:" + server.address().port);
        console.log(await response.text());
        server.close();
      });
    `;
    for (const isolation of permittedWays(confinedTo(cwd))) {
      const result = await runCommand({
        ...request('node -e "$PROGRAM"', cwd, false),
        isolation,
        env: { ...childEnvironment({ PROGRAM: program }, false) },
      });
      expect(result.output).toBe("inside\n");
    }
  });

  it("cannot look into the engine's environment from there", async () => {
    const cwd = await workspace();
    for (const isolation of permittedWays(confinedTo(cwd))) {
      const result = await runCommand({
        ...request(`cat /proc/${process.pid}/environ | tr '\\0' '\\n' | grep -c . ; true`, cwd, false),
        isolation,
      });
      expect(result.output).toMatch(/^0$/m);
    }
  });

  it("keeps the exit code of the command", async () => {
    const cwd = await workspace();
    for (const isolation of permittedWays(confinedTo(cwd))) {
      expect(await runCommand({ ...request("exit 7", cwd, false), isolation })).toMatchObject({
        exitCode: 7,
      });
    }
  });
});

describe("a host that cannot isolate", () => {
  it("refuses, names the reasons, and has not run the command", async () => {
    const cwd = await workspace();
    const broken = { tool: "broken", argv: ["/bin/sh", "-c", "echo 'no namespaces here'; exit 1", "sh"] };
    await expect(
      runIsolated(request(`touch ${join(cwd, "ran")}`, cwd, false), [broken]),
    ).rejects.toMatchObject({
      code: "TOOL_NETWORK_DISABLED",
      message: expect.stringMatching(/\(broken: no namespaces here\).*allowNetwork: true/),
    });
    await expect(runIsolated(request("touch ran", cwd, false), [])).rejects.toMatchObject({
      code: "TOOL_NETWORK_DISABLED",
      message: expect.stringContaining("no tool for it is installed"),
    });
    expect((await runCommand(request("ls", cwd, true))).output).toBe("");
  });

  it("refuses a command with the network too, unless it may run without isolation", async () => {
    const cwd = await workspace();
    await expect(runIsolated(request("touch ran", cwd, true), [])).rejects.toMatchObject({
      code: "TOOL_ISOLATION_UNAVAILABLE",
      message: expect.stringContaining('toolIsolation: "none"'),
    });
    expect((await runCommand(request("ls", cwd, true))).output).toBe("");
  });

  it("tries the next way when one fails before the command began", async () => {
    const cwd = await workspace();
    const broken = { tool: "broken", argv: ["/bin/false"] };
    const open = { tool: "open", argv: ["/bin/sh", "-c", 'echo ready >&4; exec 4>&-; "$@"; exit $?', "sh"] };
    expect(await runIsolated(request("echo second", cwd, false), [broken, open])).toMatchObject({
      output: "second\n",
      exitCode: 0,
    });
  });

  it("is what an unknown platform is taken for", () => {
    const host = { platform: "aix" as const, executables: new TrustedExecutables() };
    expect(isolationsFor(confinedTo("/"), host)).toEqual([]);
  });
});

describe("bash with the network", () => {
  it("reaches it", async () => {
    const server = await connectionCounter();
    const { bash } = createTools({ rootDir: await workspace(), ...openNetwork });
    expect(await bash.execute({ cmd: `exec 5<>/dev/tcp/127.0.0.1/${server.port}; cat <&5` })).toContain("ok");
    expect(server.connections()).toBe(1);
  });
});
