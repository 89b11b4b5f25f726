import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxRequest } from "../../../src/model/sandbox-provider.js";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { canSandbox } from "../../support/can-sandbox.js";
import { freePort } from "../../support/free-port.js";

/** A port that another server has. */
async function taken(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

/** What a server says to a client that sends `said` and then ends its side. */
async function ask(port: number, said: string, host = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host, allowHalfOpen: true });
  socket.end(said);
  return text(socket).catch((error: NodeJS.ErrnoException) => `refused: ${error.code}`);
}

/** Calls `meanwhile` when the sandbox gives its first sign of life, which is when the ports lead inside. */
async function during<T>(body: string, ports: SandboxRequest["ports"], meanwhile: () => Promise<T>) {
  let asked: Promise<T> | undefined;
  const { request, folder } = sandboxRequest(
    { "child.tsx": `-${childFile(body)}` },
    { ...(ports !== undefined && { ports }), heartbeat: () => (asked ??= meanwhile()) },
  );
  const { output, error } = await new BubblewrapRuntime().run(request);
  return { inside: error ?? (output as { text: string }).text, answers: await asked, folder };
}

/** Inside: a server that answers each client with what it said, until one says "end". */
const ECHO = (port: number) => `
const net = await import("node:net");
return await new Promise((resolve) => {
  let count = 0;
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    let said = "";
    socket.on("error", () => undefined).on("data", (chunk) => (said += chunk)).on("end", () => {
      count += 1;
      socket.end("inside: " + said, () => { if (said === "end") resolve(count); });
    });
  }).listen(${port}, "127.0.0.1");
});`;

describe.runIf(canSandbox)("a port of a sandbox", () => {
  it("leads clients of the host's loopback to what listens inside, many at once, and no longer than it runs", async () => {
    const host = await freePort();
    const said = Array.from({ length: 20 }, (_, index) =>
      `${index}`.repeat(index === 0 ? 3_000_000 : 10_000),
    );
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each !== undefined && !each.internal && each.family === "IPv4")?.address;
    const { inside, answers } = await during(ECHO(8080), [{ host, container: 8080 }], async () => {
      // Hung up on until something listens inside.
      while ((await ask(host, "there?")) !== "inside: there?");
      const all = await Promise.all(said.map((each) => ask(host, each)));
      const isWhole = all.map((answer, index) => answer === `inside: ${said[index]}`);
      const elsewhere = outside === undefined ? "refused:" : await ask(host, "x", outside);
      await ask(host, "end");
      return [isWhole, elsewhere];
    });
    expect(answers).toEqual([said.map(() => true), expect.stringMatching(/^refused:/)]);
    expect(Number(inside)).toBeGreaterThanOrEqual(22);
    expect(await ask(host, "x")).toBe("refused: ECONNREFUSED");
  });

  it("opens for the inside no way to the host: a socket that it makes or holds leads to no other program", async () => {
    const [host, other] = [await freePort(), await taken()];
    const body = `
      const net = await import("node:net"), fs = await import("node:fs");
      const said = (work) => { try { work(); return "done"; } catch { return "refused"; } };
      const reach = (to) => new Promise((resolve) => net.connect(to, () => resolve("reached")).on("error", (error) => resolve("refused")));
      const at = "/run/treadle-ports/";
      // More connections than wait outside, each with a call of its own to make.
      const flood = Array.from({ length: 200 }, () => net.connect(at + ${host}).on("error", () => undefined).on("data", () => undefined));
      await new Promise((resolve) => setTimeout(resolve, 200));
      return JSON.stringify([
        fs.readdirSync(at), said(() => fs.rmSync(at + ${host})), said(() => fs.symlinkSync("/run/docker.sock", at + "1")),
        await reach({ port: ${other}, host: "127.0.0.1" }), await reach({ port: ${host}, host: "127.0.0.1" })]);`;
    const { inside } = await during(body, [{ host, container: 8080 }], () => Promise.resolve());
    expect(JSON.parse(inside)).toEqual([[String(host)], "refused", "refused", "refused", "refused"]);
    expect(await ask(host, "x")).toBe("refused: ECONNREFUSED");
  });

  it("hangs up on clients while nothing listens inside, and survives clients and servers that break off", async () => {
    const host = await freePort();
    const body = `
      const net = await import("node:net");
      let count = 0;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return await new Promise((resolve) => net.createServer((socket) => {
        socket.on("error", () => undefined);
        count += 1;
        if (count < 3) socket.resetAndDestroy();
        else socket.end("third", () => setTimeout(() => resolve(count), 200));
      }).listen(8080, "127.0.0.1"));`;
    const { inside, answers } = await during(body, [{ host, container: 8080 }], async () => {
      const all: string[] = [];
      while (!all.includes("third")) {
        const client = connect(host, "127.0.0.1");
        client.on("connect", () => client.resetAndDestroy()).on("error", () => undefined);
        all.push(await ask(host, "x"));
      }
      return all;
    });
    expect(Number(inside)).toBeGreaterThanOrEqual(3);
    expect(answers?.at(-1)).toBe("third");
    expect(answers?.slice(0, -1).every((each) => each === "" || each.startsWith("refused"))).toBe(true);
  });

  it("that is taken is named, and nothing runs", async () => {
    const port = await taken();
    const { request, copy } = sandboxRequest(
      { "child.tsx": `-${childFile(`(await import("node:fs")).writeFileSync("ran", "x"); return 1;`)}` },
      { ports: [{ host: port, container: 80 }] },
    );
    await expect(new BubblewrapRuntime().run(request)).rejects.toMatchObject({
      code: "SANDBOX_EXECUTION_FAILED",
      message: expect.stringContaining(`port ${port} of 127.0.0.1`) as string,
    });
    const { existsSync } = await import("node:fs");
    expect([`${copy}/ran`, `${copy}/../ports`].filter(existsSync)).toEqual([]);
  });
});
