import { expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";
import { HELLO } from "./support/workflows.js";

/** Loaded before the command: says on stderr what wants to leave the machine. */
const WATCH = `
import dns from "node:dns";
import net from "node:net";
const tell = (what) => process.stderr.write("NETWORK " + what + "\\n");
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) { tell("connect"); return connect.apply(this, args); };
dns.lookup = () => tell("lookup");
globalThis.fetch = () => { tell("fetch"); return Promise.reject(new Error("no network")); };
`;

it("there is no update notice and no telemetry: a whole run, on a terminal's terms too, asks no other host", async () => {
  const workspace = new Workspace({ "hello.tsx": HELLO, "watch.mjs": WATCH });
  const env = { NODE_OPTIONS: `--import ${workspace.path("watch.mjs")}`, FORCE_COLOR: "1" };
  for (const args of [["--version"], ["init", "demo"], ["up", "hello.tsx"], ["ps"]]) {
    const { code, stderr, stdout } = await workspace.treadle(args, { env });
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`).not.toMatch(/NETWORK|update available|new version/i);
  }
  const asked = await workspace.treadle(["openapi", "list", "http://127.0.0.1:9/spec"], { env });
  expect(asked.stderr).toContain("NETWORK");
});
