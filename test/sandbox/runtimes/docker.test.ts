import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { SandboxRequest } from "../../../src/model/sandbox-provider.js";
import { newOwnerId } from "../../../src/process/owner.js";
import { DockerRuntime } from "../../../src/sandbox/runtimes/docker.js";
import { compileProgram } from "../../e2e-agents/support/compile-program.js";
import { canSandbox } from "../../support/can-sandbox.js";
import { ENGINES, standInEngine, type TestEngine } from "../../support/docker/engines.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** For processes to be gone; it is waited for, not measured. */
const GONE = { timeout: 100_000, interval: 100 };
const BOTH = 120_000;

const runtimeOf = ({ docker }: Pick<TestEngine, "docker">) => new DockerRuntime({ find: () => docker });

function requestFor(engine: TestEngine, body: string, more: Partial<SandboxRequest> = {}) {
  const made = sandboxRequest(
    { "child.tsx": `-${childFile(body)}`, notes: "-old\n" },
    { image: engine.image, memoryBytes: 2 ** 30, ...more },
  );
  // An engine reaches every folder; what stands in for it runs as the user inside.
  chmodSync(made.folder, 0o755);
  return made;
}

describe.each(ENGINES)("a container of %s", (_, makeEngine) => {
  let engine: TestEngine;
  beforeEach(() => {
    engine = makeEngine();
  });
  afterEach(() => {
    expect(engine.containers()).toEqual([]);
  });

  it("runs the workflow on the copy of the files, with nothing of the host beside", {
    timeout: BOTH,
  }, async () => {
    const secret = join(temporaryFolder("outside"), "secret");
    writeFileSync(secret, "of the host");
    const server = createServer((_request, response) => response.end("reached"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    process.env["NOT_FOR_THE_INSIDE"] = "yes";
    onTestFinished(() => void delete process.env["NOT_FOR_THE_INSIDE"]);
    const { request, copy, root } = requestFor(
      engine,
      `
      const fs = await import("node:fs"), net = await import("node:net");
      const code = (work) => { try { return String(work() ?? "done"); } catch (error) { return error.code; } };
      const reach = (to) => new Promise((done) => net.connect(to).on("connect", () => done("reached")).on("error", ({ code }) => done(code)));
      const status = fs.readFileSync("/proc/self/status", "utf8");
      fs.writeFileSync("notes", "new\\n");
      return JSON.stringify({
        write: fs.readFileSync("notes", "utf8"), secret: code(() => fs.readFileSync(${JSON.stringify(secret)})),
        root: code(() => fs.writeFileSync("/x", "")), code: code(() => fs.writeFileSync(${JSON.stringify(join(ROOT, "dist/x"))}, "")),
        loopback: await reach({ host: "127.0.0.1", port: ${port} }), socket: await reach({ path: "/var/run/docker.sock" }),
        user: process.getuid() === 0, caps: /CapEff:\\s*0+$/m.test(status), privileges: /NoNewPrivs:\\s*1/.test(status),
        env: [process.env.NOT_FOR_THE_INSIDE, process.env.GIVEN],
      });`,
      { env: { GIVEN: "given" } },
    );
    const { status, output, containerId } = (await runtimeOf(engine).run(request)) as {
      status: string;
      output: { text: string };
      containerId: string;
    };
    expect({ status, found: JSON.parse(output.text) }).toEqual({
      status: "finished",
      found: {
        ...{ write: "new\n", secret: "ENOENT", root: "EROFS", code: "EROFS" },
        ...{ loopback: "ECONNREFUSED", socket: "ENOENT", user: false, caps: true, privileges: true },
        env: [null, "given"],
      },
    });
    expect(containerId).toMatch(/^[0-9a-f]{40,64}$/);
    expect([readFileSync(join(copy, "notes"), "utf8"), readFileSync(join(root, "notes"), "utf8")]).toEqual([
      "new\n",
      "old\n",
    ]);
  });

  it("has a way out through a proxy, ports, volumes, and secrets that the engine is not told", {
    timeout: BOTH,
  }, async () => {
    const proxy = createServer((_request, response) => response.end("through the proxy"));
    await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
    onTestFinished(() => void proxy.close());
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, "127.0.0.1", done));
    const host = (taken.address() as AddressInfo).port;
    await new Promise((done) => taken.close(done));
    process.env["KEY_OF_THE_HOST"] = "key-0123456789";
    onTestFinished(() => void delete process.env["KEY_OF_THE_HOST"]);
    const shown = temporaryFolder("shown");
    chmodSync(shown, 0o755);
    mkdirSync(join(shown, "a,b"));
    writeFileSync(join(shown, "a,b", "file"), "shown");
    const { request } = requestFor(
      engine,
      `
      const fs = await import("node:fs"), http = await import("node:http");
      const urls = [];
      const asked = new Promise((done) => http.createServer((q, r) => {
        urls.push(q.url);
        r.end("from inside");
        if (q.url === "/seen") done(urls[0]);
      }).listen(80 + 8000));
      const body = await fetch(process.env.HTTP_PROXY).then((r) => r.text());
      return [body, process.env.API_KEY.length, fs.readFileSync("/opt/shown/file", "utf8"), await asked].join();`,
      {
        egress: {
          httpProxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
          secretBindings: { API_KEY: "KEY_OF_THE_HOST" },
        },
        ports: [{ host, container: 8080 }],
        volumes: [
          {
            host: join(shown, "a,b"),
            container: "/opt/shown",
            readonly: true,
          },
        ],
      },
    );
    const ended = runtimeOf(engine).run(request);
    const client = fetch(`http://127.0.0.1:${host}/asked`).catch(() => undefined);
    const answer = await vi.waitFor(async () => {
      const found = (await client) ?? (await fetch(`http://127.0.0.1:${host}/asked`));
      return found.text();
    }, GONE);
    expect(answer).toBe("from inside");
    // The container ends once its answer has arrived: its end may come before the answer to this.
    await fetch(`http://127.0.0.1:${host}/seen`).catch(() => undefined);
    expect(await ended).toMatchObject({ output: { text: "through the proxy,14,shown,/asked" } });
    expect(JSON.stringify(engine.lastRun() ?? "")).not.toContain("key-0123456789");
  });

  it("runs a program in the place of a workflow", { timeout: BOTH }, async () => {
    const { request } = requestFor(engine, "", {
      command: ["/bin/sh", "-c", "cat; echo changed >notes"],
      input: { text: "row" },
    });
    expect(await runtimeOf(engine).run(request)).toMatchObject({
      status: "finished",
      output: { text: "row" },
    });
    expect(readFileSync(join(request.workspacePath, "notes"), "utf8")).toBe("changed\n");
  });

  it("is gone when its signal fires", { timeout: BOTH }, async () => {
    const abort = new AbortController();
    const { request } = requestFor(engine, `setInterval(() => {}, 1000); await new Promise(() => {});`, {
      signal: abort.signal,
    });
    const ended = runtimeOf(engine).run(request);
    await vi.waitFor(() => expect(engine.containers()).toHaveLength(1), GONE);
    abort.abort(new Error("enough"));
    await expect(ended).rejects.toThrow("enough");
  });

  it("is gone when the process that started it is killed", { timeout: BOTH }, async () => {
    const { request, folder } = requestFor(
      engine,
      `setInterval(() => {}, 1000); await new Promise(() => {});`,
    );
    const program = await compileProgram("test/support/sandbox-program.ts", folder);
    for (const name of ["dist", "package.json"]) symlinkSync(join(ROOT, name), join(folder, name));
    const child = spawn(process.execPath, [program], { cwd: folder, stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.end(JSON.stringify({ ...request, docker: engine.docker }));
    await vi.waitFor(() => expect(engine.containers()).toHaveLength(1), GONE);
    child.kill("SIGKILL");
    await vi.waitFor(() => expect(engine.containers()).toEqual([]), GONE);
  });

  it("of an image that is not here is refused, and it says how to get it", { timeout: BOTH }, async () => {
    const { request } = requestFor(engine, "", { image: "missing-image:1" });
    await expect(runtimeOf(engine).run(request)).rejects.toMatchObject({
      ...{ code: "SANDBOX_EXECUTION_FAILED", retryable: false },
      message: expect.stringContaining("`docker pull missing-image:1`. Nothing ran.") as string,
    });
  });
});

describe("the runtime docker", () => {
  it("is refused without the program, or an engine that answers, and says what to do", async () => {
    const { request } = sandboxRequest({});
    await expect(new DockerRuntime({ find: () => undefined }).run(request)).rejects.toMatchObject({
      ...{ code: "SANDBOX_EXECUTION_FAILED", retryable: false },
      message: expect.stringContaining("install Docker Engine") as string,
    });
    const engine = standInEngine();
    writeFileSync(join(engine.state, "down"), "");
    await expect(runtimeOf(engine).run(request)).rejects.toMatchObject({
      ...{ code: "SANDBOX_EXECUTION_FAILED", retryable: false },
      message: expect.stringMatching(
        /Is the docker daemon running\?.*systemctl start docker.*Nothing ran/,
      ) as string,
    });
  });

  it("is refused where Podman takes its place, by its program or behind Docker's", async () => {
    const engine = standInEngine();
    writeFileSync(join(engine.state, "podman"), "");
    const { request } = requestFor(engine, "return 1;");
    await expect(runtimeOf(engine).run(request)).rejects.toMatchObject({
      ...{ code: "SANDBOX_EXECUTION_FAILED", retryable: false },
      message: expect.stringMatching(/Podman.*bubblewrap\. Nothing ran/) as string,
    });
    expect(engine.lastRun()).toBeUndefined();
  });

  it.runIf(canSandbox)(
    "confines by the flags of `docker run`, and removes what dead processes have left",
    async () => {
      const engine = standInEngine();
      const dead = newOwnerId().replace(/\.\d+$/, ".1");
      for (const [id, owner] of [
        ["aa", dead],
        ["bb", newOwnerId()],
      ] as const)
        writeFileSync(join(engine.state, `${id}.json`), JSON.stringify({ pid: 2 ** 30, owner, names: id }));
      const { request } = requestFor(engine, "return 1;", { cpuLimit: 64, allowNetwork: false });
      await runtimeOf(engine).run(request);
      expect(engine.containers()).toEqual(["bb.json"]);
      const run = engine.lastRun()?.join(" ") ?? "";
      for (const flag of [
        ...["--rm", "--pull never", "--log-driver none", "--network none", "--cap-drop ALL", "--read-only"],
        ...[
          "--security-opt no-new-privileges",
          "--pids-limit 1024",
          `--memory ${2 ** 30} --memory-swap ${2 ** 30}`,
        ],
        ...["--cpus 2", "--label treadle.run=parent", "--label treadle.sandbox=box", "--ipc private"],
      ]) {
        expect(run).toContain(flag);
      }
      expect(run).not.toMatch(/--privileged|docker\.sock|--user (?:0|root)/);
    },
  );
});
