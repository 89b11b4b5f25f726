import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxRequest } from "../../../src/model/sandbox-provider.js";
import { canSandbox } from "../../support/can-sandbox.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { SANDBOX_USERS, type SandboxUser } from "../../support/sandbox-user.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const PRELUDE = `
const fs = await import("node:fs"), net = await import("node:net"), cp = await import("node:child_process");
const said = (work) => { try { const value = work(); return "done: " + JSON.stringify(value ?? null); } catch (error) { return "refused: " + (error.code ?? error.message); } };
const reach = (to) => new Promise((resolve) => { const socket = net.connect(to, () => resolve("reached")); socket.on("error", (error) => resolve("refused: " + error.code)); socket.setTimeout(3000, () => resolve("refused: silence")); });
`;

/** The code of a body in a sandbox of that user. */
async function insideOf(
  user: SandboxUser,
  body: string,
  more: Partial<SandboxRequest> = {},
): Promise<string> {
  const { request, folder } = sandboxRequest({ "child.tsx": `-${childFile(`${PRELUDE}${body}`)}` }, more);
  const { status, output, error } = await user.run(request, folder);
  return status === "finished" ? (output as { text: string }).text : `${status}: ${error}`;
}

/** A file of this machine that no sandbox has to do with. */
function secretFile(): string {
  const path = join(temporaryFolder("secret"), "secret");
  writeFileSync(path, "the secret");
  return path;
}

const PLACES = ["/etc/shadow", "/root", "/home", "/proc/1/root/etc/shadow", "/var/lib", "/etc/ssl/private"];
const WRITTEN = [
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
const LEFT_IN_TMP = `/tmp/left-by-a-sandbox-${process.pid}`;
const CORE_PATTERN = "/proc/sys/kernel/core_pattern";

/** Looks that code takes in one sandbox, one after the other: what it finds, by name. A sandbox takes longer to begin than all of them. */
async function lookedAround(user: SandboxUser) {
  const named = join(temporaryFolder("socket"), "s");
  const abstract = `\0treadle-${process.pid}`;
  await listening({ path: named });
  await listening({ path: abstract });
  const { port } = (await listening({})).address() as { port: number };
  const corePattern = readFileSync(CORE_PATTERN, "utf8");
  process.env["SECRET_OF_THE_PARENT"] = "only here";
  onTestFinished(() => void delete process.env["SECRET_OF_THE_PARENT"]);
  const { pid } = process;
  const looks = {
    secret: `said(() => fs.readFileSync(${JSON.stringify(secretFile())}, "utf8"))`,
    places: `${JSON.stringify(PLACES)}.map((path) => said(() => (fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path, "utf8"))))`,
    written: `${JSON.stringify(WRITTEN)}.map((path) => said(() => fs.writeFileSync(path, "x", { flag: "a" })))`,
    tmp: `said(() => fs.writeFileSync(${JSON.stringify(LEFT_IN_TMP)}, "x"))`,
    environments: `JSON.stringify([process.env, fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((pid) => said(() => fs.readFileSync("/proc/" + pid + "/environ", "utf8")))])`,
    processes: `[
      said(() => process.kill(${pid}, 0) && fs.readFileSync("/proc/${pid}/cmdline", "utf8").includes("vitest")),
      said(() => fs.readFileSync("/proc/${pid}/mem")),
      said(() => fs.readFileSync("/proc/kcore")),
      fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).length < 20]`,
    network: `[await reach({ port: ${port}, host: "127.0.0.1" }), await reach({ port: 53, host: "1.1.1.1" })]`,
    sockets: `[await reach({ path: ${JSON.stringify(named)} }), await reach({ path: ${JSON.stringify(abstract)} })]`,
    devices: `fs.readdirSync("/dev")`,
    made: `[cp.spawnSync("mknod", ["/dev/disk", "b", "8", "0"]).status, cp.spawnSync("mount", ["-t", "tmpfs", "none", "/mnt"]).status, cp.spawnSync("unshare", ["-Ur", "true"]).status]`,
    open: `fs.readdirSync("/proc/self/fd").map((fd) => { try { return fs.readlinkSync("/proc/self/fd/" + fd); } catch { return "gone"; } }).filter((path) => path.startsWith("/") && !/^\\/(dev|proc)\\//.test(path))`,
    left: `[
      said(() => fs.readdirSync("/proc/1/root/home")),
      said(() => fs.readFileSync("/proc/1/root/../etc/shadow")),
      said(() => fs.readdirSync("/proc/self/root/../../root")),
      cp.spawnSync("nsenter", ["-t", "1", "-m", "true"]).status,
      cp.spawnSync("chroot", ["/", "true"]).status]`,
    rights: `(() => { const status = fs.readFileSync("/proc/self/status", "utf8"); return [/CapEff:\\s*0+$/m, /CapBnd:\\s*0+$/m, /NoNewPrivs:\\s*1/].map((line) => line.test(status)); })()`,
    su: `cp.spawnSync("su", ["-c", "true"]).status`,
  };
  const found = Object.entries(looks).map(([name, look]) => `${name}: ${look}`);
  const text = await insideOf(user, `return JSON.stringify({ ${found.join(", ")} });`);
  return { ...(JSON.parse(text) as Record<keyof typeof looks, unknown>), corePattern };
}

async function listening(at: { path?: string }): Promise<Server> {
  const server = createServer((socket) => socket.on("error", () => undefined).end("hello"));
  await new Promise<void>((done) =>
    at.path === undefined ? server.listen(0, "127.0.0.1", done) : server.listen(at.path, done),
  );
  onTestFinished(() => void server.close());
  return server;
}

describe.runIf(canSandbox).each(SANDBOX_USERS)("code in a sandbox of $name", (user) => {
  const inside = (body: string, more: Partial<SandboxRequest> = {}) => insideOf(user, body, more);

  let looked: ReturnType<typeof lookedAround> | undefined;
  const look = () => (looked ??= lookedAround(user));

  it("reads no file outside of its workspace", async () => {
    const { secret, places } = await look();
    expect(secret).toBe("refused: ENOENT");
    for (const [index, answer] of (places as string[]).entries()) {
      expect([PLACES[index], answer]).toEqual([
        PLACES[index],
        expect.stringMatching(/^(refused|done: \[\])/),
      ]);
    }
  });

  it("writes no file outside of its workspace", async () => {
    const { written, corePattern } = await look();
    for (const [index, answer] of (written as string[]).entries()) {
      const path = WRITTEN[index] ?? "";
      // What is its own it may write, and what it writes there no one else sees.
      if (path.startsWith("/dev/")) expect(existsSync(path)).toBe(false);
      else expect([path, answer]).toEqual([path, expect.stringMatching(/^refused/)]);
    }
    expect(readFileSync(CORE_PATTERN, "utf8")).toBe(corePattern);
  });

  it("has a /tmp of its own", async () => {
    expect((await look()).tmp).toBe("done: null");
    expect(existsSync(LEFT_IN_TMP)).toBe(false);
  });

  it("does not see the environment of the process that started it", async () => {
    const { environments } = await look();
    expect(environments).not.toContain("only here");
    expect(environments).toContain("TREADLE_SANDBOX");
  });

  it("has variables of its own that no program outside acts upon", async () => {
    const seen = temporaryFolder("loader");
    const env = { LD_DEBUG: "files", LD_DEBUG_OUTPUT: join(seen, "report"), PATH: `${seen}:/usr/bin:/bin` };
    expect(await inside("return [process.env.PATH, process.env.LD_DEBUG].join();", { env })).toBe(
      `${env.PATH},files`,
    );
    expect(readdirSync(seen)).toEqual([]);
  });

  it("sees no process of the machine, sends none a signal, and reads no memory", async () => {
    expect((await look()).processes).toEqual([
      expect.stringMatching(/^refused|^done: false/),
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      true,
    ]);
  });

  it("reaches neither loopback nor the network", async () => {
    expect((await look()).network).toEqual([
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
    expect((await look()).sockets).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
    ]);
  });

  it("has none of the machine's devices, and makes none", async () => {
    const { devices, made } = await look();
    const ofTheMachine = (name: string) => /^(?:sd|vd|nvme|mem|kmem|kvm|port|loop|dm-|fuse)/.test(name);
    expect((devices as string[]).filter(ofTheMachine)).toEqual([]);
    expect(made).toHaveLength(3);
    expect(made).not.toContain(0);
  });

  it("changes neither the code that runs nor the packages that are installed", async () => {
    const { request, folder, root, copy } = sandboxRequest({
      "child.tsx": `-${childFile(`${PRELUDE}
        const seen = fs.readFileSync("node_modules/dep/index.js", "utf8");
        return JSON.stringify([seen, said(() => fs.writeFileSync("node_modules/dep/index.js", "x")), said(() => fs.renameSync("node_modules", "moved"))]);`)}`,
    });
    mkdirSync(join(root, "node_modules/dep"), { recursive: true });
    writeFileSync(join(root, "node_modules/dep/index.js"), "as it was");
    const { output } = await user.run(request, folder);
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

  it("writes no more to the folders that stand in memory than one of its processes may take", async () => {
    const places = ["/tmp/x", "/var/tmp/x", "/dev/shm/x", "/dev/x", "/run/x"];
    const answers = await inside(
      `const block = Buffer.alloc(16 * 1024 ** 2, 1);
      const fill = (path) => said(() => { for (let n = 0; n < 40; n += 1) fs.writeFileSync(path, block, { flag: "a" }); });
      return JSON.stringify(${JSON.stringify(places)}.map(fill));`,
      { memoryBytes: 512 * 1024 ** 2 },
    );
    expect(JSON.parse(answers)).toEqual(
      places.map(() => expect.stringMatching(/^refused: (ENOSPC|EROFS|EACCES)$/)),
    );
  });

  it("runs on no more processors than it was given, whatever it asks for", async () => {
    const answers = await inside(
      `
      const allowed = (pid) => /^Cpus_allowed_list:\\s*(\\S+)$/m.exec(fs.readFileSync("/proc/" + pid + "/status", "utf8"))[1];
      const before = allowed("self");
      const asked = cp.spawnSync("taskset", ["-p", "ffffffff", String(process.pid)]).status;
      const child = cp.spawnSync("/bin/sh", ["-c", "taskset -p ffffffff $$ >/dev/null 2>&1; taskset ffffffff true; echo $?; grep Cpus_allowed_list /proc/self/status"], { encoding: "utf8" }).stdout;
      return JSON.stringify([before, asked, allowed("self"), child]);`,
      { cpuLimit: 1 },
    );
    const [before, asked, after, child] = JSON.parse(answers) as [string, number, string, string];
    expect(before).toMatch(/^\d+$/);
    expect(after).toBe(before);
    expect(asked).not.toBe(0);
    expect(child).toMatch(new RegExp(`^[1-9]\\d*\\nCpus_allowed_list:\\s*${before}\\n$`));
  });

  it("cannot start processes without end", async () => {
    // Each waits for a line that no one writes.
    const body = `
      const started = cp.spawnSync("/bin/sh", ["-c", "mkfifo /tmp/end; exec 9<>/tmp/end; i=0; while [ $i -lt 1500 ]; do (exec <&9 >/dev/null 2>&1; read -r _) & i=$((i+1)); done; echo all"], { encoding: "utf8" });
      return JSON.stringify([started.stdout.includes("all")]);`;
    const answer = await inside(body).catch((error: unknown) => String(error));
    expect(answer).not.toBe("[true]");
  });

  it("leaves no link or pipe in the place of its result", async () => {
    const secret = secretFile();
    for (const make of [`fs.symlinkSync(${JSON.stringify(secret)}, at)`, `cp.spawnSync("mkfifo", [at])`]) {
      const body = `const at = "/run/treadle-result/result.json"; ${make}; return "x";`;
      await expect(inside(body)).rejects.toMatchObject({
        code: expect.stringMatching(/^SANDBOX_/) as string,
      });
    }
  });

  it("moves neither its workspace nor what lies above, and links nothing of the host into it", async () => {
    const body = `
      const { dirname } = await import("node:path");
      const root = process.cwd(), above = dirname(root);
      return JSON.stringify([
        said(() => fs.renameSync(root, root + "-moved")),
        said(() => fs.rmdirSync(root)),
        said(() => fs.linkSync("/etc/passwd", "stolen")),
        // What lies above is empty and its own, where it is not refused.
        said(() => fs.symlinkSync("/etc", above + "/link")),
        said(() => fs.renameSync(above, above + "-moved"))]);`;
    const { request, folder, root } = sandboxRequest({ "child.tsx": `-${childFile(`${PRELUDE}${body}`)}` });
    const { output } = await user.run(request, folder);
    const answers = JSON.parse((output as { text: string }).text) as string[];
    for (const answer of answers.slice(0, 3)) expect(answer).toMatch(/^refused/);
    expect([`${root}-moved`, `${folder}-moved`, join(folder, "link")].filter(existsSync)).toEqual([]);
    expect(readdirSync(root)).toEqual(["child.tsx"]);
  });

  it("leaves its root by no folder that it holds open, by no process and by no descriptor that it was given", async () => {
    const { open, left } = await look();
    expect(open).toEqual([]);
    for (const answer of left as (string | number)[]) {
      expect(String(answer)).not.toMatch(/^(0$|done: (?!\[\]))/);
    }
  });

  it("cannot say who it is: it has no capabilities, gets none by a program, and traces no one", async () => {
    const { rights, su } = await look();
    expect(rights).toEqual([true, true, true]);
    expect(su).not.toBe(0);
  });
});
