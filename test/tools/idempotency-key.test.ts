import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolContext, defineTool, runWithToolContext } from "../../src/tools/index.js";
import { loopbackServer } from "./support/loopback-server.js";

const task = { runId: "run1", nodeId: "charge", iteration: 2 };

function keyTool(name: string) {
  return defineTool({ name, schema: z.object({}), execute: (_, ctx) => ctx.idempotencyKey });
}

describe("the idempotency key of a tool call", () => {
  it("is the same for the same call of every attempt", async () => {
    const tool = keyTool("pay");
    const attempts = [1, 2].map((attempt) =>
      runWithToolContext(createToolContext({ ...task, attempt }), async () => [
        await tool.execute({}),
        await tool.execute({}),
      ]),
    );
    const [first, second] = await Promise.all(attempts);
    expect(first).toEqual(second);
  });

  it("differs between calls, tools, nodes, iterations and runs", async () => {
    const [pay, refund] = [keyTool("pay"), keyTool("refund")];
    const keysIn = (options: Partial<typeof task>) =>
      runWithToolContext(createToolContext({ ...task, ...options }), async () => [
        await pay.execute({}),
        await pay.execute({}),
        await refund.execute({}),
      ]);
    const keys = await Promise.all([
      keysIn({}),
      keysIn({ nodeId: "other" }),
      keysIn({ iteration: 3 }),
      keysIn({ runId: "run2" }),
    ]);
    expect(new Set(keys.flat()).size).toBe(12);
  });

  it("continues counting in the next generation of one attempt", async () => {
    const tool = keyTool("pay");
    const context = createToolContext(task);
    const generation = () => runWithToolContext(context, () => tool.execute({}));
    expect(await generation()).not.toBe(await generation());
  });

  it("is built on the key that the task itself has", async () => {
    const context = createToolContext({ ...task, idempotencyKey: "task-key" });
    const key = await runWithToolContext(context, () => keyTool("pay").execute({}));
    expect(key).toMatch(/^task-key:/);
  });

  it("lets a payment service drop the repeated call of an attempt that crashed after paying", async () => {
    const payments = new Map<string, number>();
    const bank = await loopbackServer(({ headers, body }, response) => {
      const key = String(headers["idempotency-key"]);
      if (!payments.has(key)) payments.set(key, Number(body));
      response.end();
    });
    const pay = defineTool({
      name: "pay",
      schema: z.object({ cents: z.number() }),
      sideEffect: true,
      async execute({ cents }, { idempotencyKey }) {
        const headers = { "idempotency-key": idempotencyKey };
        await fetch(bank.url, { method: "POST", headers, body: String(cents) });
      },
    });
    const attempt = (number: number, end: () => void) =>
      runWithToolContext(createToolContext({ ...task, attempt: number }), async () => {
        await pay.execute({ cents: 500 });
        await pay.execute({ cents: 70 });
        end();
      });
    await expect(
      attempt(1, () => {
        throw new Error("the process died here");
      }),
    ).rejects.toThrow("the process died here");
    await attempt(2, () => undefined);

    expect(bank.received).toHaveLength(4);
    expect([...payments.values()]).toEqual([500, 70]);
  });
});
