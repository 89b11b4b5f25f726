import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxRequest } from "../../../src/model/sandbox-provider.js";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const PRELUDE = `
const fs = await import("node:fs"), net = await import("node:net"), cp = await import("node:child_process");
const said = (work) => { try { const value = work(); return "done: " + JSON.stringify(value ?? null); } catch (error) { return "refused: " + (error.code ?? error.message); } };
const reach = (to) => new Promise((resolve) => { const socket = net.connect(to, () => resolve("reached")); socket.on("error", (error) => resolve("refused: " + error.code)); socket.setTimeout(3000, () => resolve("refused: silence")); });
`;

/** What code inside of a sandbox gets for an answer. */
async function inside(body: string, more: Partial<SandboxRequest> = {}): Promise<string> {
  const { request } = sandboxRequest({ "child.tsx": `-${childFile(`${PRELUDE}${body}`)}` }, more);
  const { status, output, error } = await new BubblewrapRuntime().run(request);
  return status === "finished" ? (output as { text: string }).text : `${status}: ${error}`;
}

/** A file of this machine that no sandbox has to do with. */
function secretFile(): string {
  const path = join(temporaryFolder("secret"), "secret");
  writeFileSync(path, "the secret");
  return path;
}

async function listening(at: { path?: string }): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => undefined).end("hello"));
  await new Promise<void>((done) =>
    at.path === undefined ? server.listen(0, "127.0.0.1", done) : server.listen(at.path, done),
  );
  onTestFinished(() => void server.close());
  return server;
}

describe("code in a sandbox", () => {
  it("reads no file outside of its workspace", async () => {
    const secret = secretFile();
    expect(await inside(`return said(() => fs.readFileSync(${JSON.stringify(secret)}, "utf8"));`)).toBe(
      "refused: ENOENT",
    );
    const places = [
      "/etc/shadow",
      "/root",
      "/home",
      "/proc/1/root/etc/shadow",
      "/var/lib",
      "/etc/ssl/private",
    ];
    const look = `(path) => said(() => (fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path, "utf8")))`;
    const answers = JSON.parse(
      await inside(`return JSON.stringify(${JSON.stringify(places)}.map(${look}));`),
    ) as string[];
    for (const [index, answer] of answers.entries()) {
      expect([places[index], answer]).toEqual([
        places[index],
        expect.stringMatching(/^(refused|done: \[\])/),
      ]);
    }
  });

  it("writes no file outside of its workspace", async () => {
    const places = [
      "/etc/planted",
      "/usr/planted",
      "/planted",
      "/proc/sys/kernel/core_pattern",
      "/proc/sys/kernel/hostname",
      "/sys/planted",
      "/dev/planted-device",
      "/var/planted",
      process.execPath,
    ];
    const answers = await inside(
      `return JSON.stringify(${JSON.stringify(places)}.map((path) => said(() => fs.writeFileSync(path, "x", { flag: "a" }))));`,
    );
    const own = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    for (const [index, answer] of (JSON.parse(answers) as string[]).entries()) {
      const path = places[index] ?? "";
      // What is its own it may write, and what it writes there no one else sees.
      if (path.startsWith("/dev/")) expect(existsSync(path)).toBe(false);
      else expect([path, answer]).toEqual([path, expect.stringMatching(/^refused/)]);
    }
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(own);
  });

  it("has a /tmp of its own", async () => {
    const name = `/tmp/left-by-a-sandbox-${process.pid}`;
    expect(await inside(`fs.writeFileSync(${JSON.stringify(name)}, "x"); return "written";`)).toBe("written");
    expect(existsSync(name)).toBe(false);
  });

  it("does not see the environment of the process that started it", async () => {
    process.env["SECRET_OF_THE_PARENT"] = "only here";
    onTestFinished(() => void delete process.env["SECRET_OF_THE_PARENT"]);
    const all = await inside(`
      const pids = fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name));
      return JSON.stringify([process.env, pids.map((pid) => said(() => fs.readFileSync("/proc/" + pid + "/environ", "utf8")))]);`);
    expect(all).not.toContain("only here");
    expect(all).toContain("TREADLE_SANDBOX");
  });

  it("sees no process of the machine, sends none a signal, and reads no memory", async () => {
    const pid = process.pid;
    const answers = await inside(`return JSON.stringify([
      said(() => process.kill(${pid}, 0) && fs.readFileSync("/proc/${pid}/cmdline", "utf8").includes("vitest")),
      said(() => fs.readFileSync("/proc/${pid}/mem")),
      said(() => fs.readFileSync("/proc/kcore")),
      fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).length < 20]);`);
    expect(JSON.parse(answers)).toEqual([
      expect.stringMatching(/^refused|^done: false/),
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      true,
    ]);
  });

  it("reaches neither loopback nor the network", async () => {
    const { port } = (await listening({})).address() as { port: number };
    const answers = await inside(
      `return JSON.stringify([await reach({ port: ${port}, host: "127.0.0.1" }), await reach({ port: 53, host: "1.1.1.1" })]);`,
    );
    expect(JSON.parse(answers)).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
    ]);
  });

  it("reaches loopback with allowNetwork", async () => {
    const { port } = (await listening({})).address() as { port: number };
    expect(await inside(`return reach({ port: ${port}, host: "127.0.0.1" });`, { allowNetwork: true })).toBe(
      "reached",
    );
  });

  it("reaches no socket of the host, named or abstract", async () => {
    const named = join(temporaryFolder("socket"), "s");
    const abstract = `\0treadle-${process.pid}`;
    await listening({ path: named });
    await listening({ path: abstract });
    const answers = await inside(
      `return JSON.stringify([await reach({ path: ${JSON.stringify(named)} }), await reach({ path: ${JSON.stringify(abstract)} })]);`,
    );
    expect(JSON.parse(answers)).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
    ]);
  });

  it("has none of the machine's devices, and makes none", async () => {
    const answers = await inside(
      `return JSON.stringify([fs.readdirSync("/dev"), cp.spawnSync("mknod", ["/dev/disk", "b", "8", "0"]).status, cp.spawnSync("mount", ["-t", "tmpfs", "none", "/mnt"]).status, cp.spawnSync("unshare", ["-Ur", "true"]).status]);`,
    );
    const [devices, ...statuses] = JSON.parse(answers) as [string[], ...number[]];
    expect(devices.filter((name) => /^(?:sd|vd|nvme|mem|kmem|kvm|port|loop|dm-|fuse)/.test(name))).toEqual(
      [],
    );
    expect(statuses).not.toContain(0);
  });

  it("changes neither the code that runs nor the packages that are installed", async () => {
    const { request, root, copy } = sandboxRequest({
      "child.tsx": `-${childFile(`${PRELUDE}
        const seen = fs.readFileSync("node_modules/dep/index.js", "utf8");
        return JSON.stringify([seen, said(() => fs.writeFileSync("node_modules/dep/index.js", "x")), said(() => fs.renameSync("node_modules", "moved"))]);`)}`,
    });
    mkdirSync(join(root, "node_modules/dep"), { recursive: true });
    writeFileSync(join(root, "node_modules/dep/index.js"), "as it was");
    const { output } = await new BubblewrapRuntime().run(request);
    const [seen, ...answers] = JSON.parse((output as { text: string }).text) as string[];
    expect(seen).toBe("as it was");
    expect(answers).toEqual([expect.stringMatching(/^refused/), expect.stringMatching(/^refused/)]);
    expect(readFileSync(join(root, "node_modules/dep/index.js"), "utf8")).toBe("as it was");
    expect(existsSync(join(copy, "moved"))).toBe(false);
  });

  it("is ended by its memory limit, and not the process that started it", async () => {
    const body = `const kept = []; for (;;) kept.push(Buffer.alloc(16 * 1024 ** 2, 1));`;
    await expect(
      inside(body, { memoryBytes: 512 * 1024 ** 2 }).then((text) => Promise.reject(new Error(text))),
    ).rejects.toThrow(/ended without a result|failed/);
  });

  it("cannot start processes without end", async () => {
    const body = `
      const started = cp.spawnSync("/bin/sh", ["-c", "i=0; while [ $i -lt 3000 ]; do sleep 20 & i=$((i+1)); done; echo all"], { encoding: "utf8" });
      return JSON.stringify([started.stdout.includes("all")]);`;
    const answer = await inside(body).catch((error: unknown) => String(error));
    expect(answer).not.toBe("[true]");
  }, 60_000);

  it("leaves no link or pipe in the place of its result", async () => {
    const secret = secretFile();
    for (const make of [`fs.symlinkSync(${JSON.stringify(secret)}, at)`, `cp.spawnSync("mkfifo", [at])`]) {
      const body = `const at = "/run/treadle-result/result.json"; ${make}; return "x";`;
      await expect(inside(body)).rejects.toMatchObject({
        code: expect.stringMatching(/^SANDBOX_/) as string,
      });
    }
  });
});
