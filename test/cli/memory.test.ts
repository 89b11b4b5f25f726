import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { createMemoryStore } from "../../src/memory/create-memory-store.js";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { HELLO } from "./support/workflows.js";

let place: Workspace;
const call = (...argv: string[]) => callIn(place.folder, ["memory", ...argv]);
const json = async (...argv: string[]) => JSON.parse((await call(...argv, "--json")).stdout);

beforeEach(async () => {
  place = new Workspace({ "hello.tsx": HELLO });
  const memory = createMemoryStore(join(place.folder, "service.db"));
  const { threadId } = await memory.createThread("user:ada", "Orders");
  await memory.saveMessage({ id: "m", threadId, role: "user", contentJson: '"Where is my tea?"' });
  await memory.close();
});

it("writes, prints, lists and deletes facts", async () => {
  const at = ["--namespace", "user:ada"];
  expect(await json("set", "language", "Portuguese", ...at)).toMatchObject({ valueJson: '"Portuguese"' });
  expect(await json("set", "code", '{"pin":4711}', ...at, "--ttl", "10m")).toMatchObject({
    valueJson: '{"pin":4711}',
    ttlMs: 600_000,
  });
  await call("set", "language", "Danish", "--namespace", "user:bob");
  expect((await call("get", "language", ...at)).stdout).toBe('"Portuguese"\n');
  expect((await json("list")).facts).toHaveLength(3);
  expect((await call("list", ...at)).stdout).toMatch(/user:ada +language +\S+ +"Portuguese"/);
  const dry = await json("delete", "language", ...at, "--dry-run");
  expect(dry).toMatchObject({ dryRun: true, removed: false });
  expect(await json("delete", "language", ...at, "--yes")).toMatchObject({ removed: true });
  expect(await json("get", "language", ...at)).toMatchObject({
    error: { code: "MEMORY_FACT_NOT_FOUND", remedy: { action: "list-facts", namespace: "user:ada" } },
  });
  expect((await call("get", "language", ...at)).stderr).toMatch(
    /fix +treadle memory list --namespace user:ada\n/,
  );
});

it("asks before it deletes, and writes nothing where it only looks", async () => {
  const at = ["--namespace", "global:g"];
  expect(await json("set", "k", "1", ...at, "--dry-run")).toEqual({
    dryRun: true,
    namespace: "global:g",
    key: "k",
    replaces: null,
  });
  expect((await json("list", ...at)).facts).toEqual([]);
  await call("set", "k", "1", ...at);
  const refused = await json("delete", "k", ...at);
  expect(refused).toMatchObject({ error: { code: "CLI_USAGE", details: { flag: "--yes" } } });
  expect((await json("list", ...at)).facts).toHaveLength(1);
});

it("lists conversations, and prints one", async () => {
  const { threads } = await json("threads", "--namespace", "user:ada");
  expect(threads).toMatchObject([{ namespace: "user:ada", title: "Orders" }]);
  const { threadId } = threads[0];
  expect((await call("threads")).stdout).toContain("Orders");
  expect((await call("threads", threadId)).stdout).toContain("Where is my tea?");
  expect(await json("threads", threadId)).toMatchObject({ thread: { threadId }, messages: [{ id: "m" }] });
  expect(await json("threads", "nobody")).toMatchObject({ error: { code: "MEMORY_THREAD_NOT_FOUND" } });
});

it("refuses a namespace of another kind, and none where one is needed", async () => {
  const missing = await json("get", "k");
  expect(missing).toMatchObject({ error: { code: "CLI_USAGE", details: { option: "--namespace" } } });
  for (const argv of [["list"], ["threads"], ["get", "k"], ["set", "k", "1"], ["delete", "k", "--yes"]]) {
    expect(await json(...argv, "--namespace", "tenant:a")).toMatchObject({
      error: { code: "INVALID_INPUT" },
    });
  }
});
