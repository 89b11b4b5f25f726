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
});
