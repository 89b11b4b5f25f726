import { expect, it } from "vitest";
import { createMemoryStore } from "../../../src/memory/create-memory-store.js";
import { openGateway } from "./support/gateway.js";
import { asking } from "./support/workflows.js";

it("listMemoryFacts has what the gateway's databases remember, a page at a time", async () => {
  let memory: ReturnType<typeof createMemoryStore> | undefined;
  const { call } = await openGateway((gateway, folder) => {
    const workflow = asking(folder);
    memory = createMemoryStore(workflow);
    return gateway.register("ask", workflow);
  });
  for (const key of ["b", "a"]) await memory?.setFact("user:ada", key, { of: key });
  await memory?.setFact("global:g", "k", 1);
  const first = await call("listMemoryFacts", { namespace: "user:ada", limit: 1 });
  expect(first).toMatchObject({
    facts: [{ namespace: "user:ada", key: "a", valueJson: '{"of":"a"}' }],
    nextCursor: expect.any(String),
  });
  const { nextCursor: cursor } = first as { nextCursor: string };
  expect(await call("listMemoryFacts", { namespace: "user:ada", cursor })).toMatchObject({
    facts: [{ key: "b" }],
    nextCursor: null,
  });
  expect(((await call("listMemoryFacts")) as { facts: unknown[] }).facts).toHaveLength(3);
  await memory?.setFact("user:ada", "Rate_100%", "Seven of ten");
  const keys = async (text: string) => {
    const { facts } = (await call("listMemoryFacts", { text })) as { facts: { key: string }[] };
    return facts.map(({ key }) => key);
  };
  expect(await keys("SEVEN")).toEqual(["Rate_100%"]);
  expect(await keys("rate_100%")).toEqual(["Rate_100%"]);
  expect(await keys("rate%100")).toEqual([]);
});

it("conversations are listed with the newest first, and read with their newest messages", async () => {
  let memory: ReturnType<typeof createMemoryStore> | undefined;
  const { call, rpc } = await openGateway((gateway, folder) => {
    const workflow = asking(folder);
    memory = createMemoryStore(workflow);
    return gateway.register("ask", workflow);
  });
  const made = await memory?.createThread("user:ada", "Help");
  await memory?.createThread("user:eve");
  const threadId = made?.threadId as string;
  for (const content of ["one", "two", "three"]) {
    await memory?.saveMessage({ threadId, role: "user", contentJson: JSON.stringify(content) });
  }
  const { threads } = (await call("listMemoryThreads")) as { threads: { threadId: string }[] };
  expect(threads).toHaveLength(2);
  expect(await call("listMemoryThreads", { namespace: "user:ada" })).toMatchObject({
    threads: [{ threadId, title: "Help" }],
  });
  expect(await call("getMemoryThread", { threadId, limit: 2 })).toMatchObject({
    thread: { threadId },
    messages: [{ contentJson: '"two"' }, { contentJson: '"three"' }],
    total: 3,
  });
  expect(await rpc("getMemoryThread", { threadId: "none" })).toMatchObject({
    body: { error: { code: "MEMORY_THREAD_NOT_FOUND" } },
  });
});
