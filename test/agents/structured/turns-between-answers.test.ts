import { expect, it } from "vitest";
import { z } from "zod";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";

it("what waits in the process has its turn between two answers of an agent", async () => {
  const order: string[] = [];
  const agent = {
    generate: async () => {
      order.push("answer");
      setImmediate(() => order.push("another"));
      return { text: "{}" };
    },
  };
  const schema = z.object({ n: z.number() });
  const asking = generateStructured({ agent, prompt: "Say n.", schema, maxSchemaRetries: 2 } as never);
  await expect(asking).rejects.toMatchObject({ code: "INVALID_OUTPUT" });
  expect(order).toEqual(["answer", "another", "answer", "another", "answer"]);
});
