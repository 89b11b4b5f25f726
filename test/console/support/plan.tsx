import { join } from "node:path";
import { z } from "zod";
import { createService } from "../../../src/index.js";
import type { Gateway } from "../../../src/hosts/gateway/index.js";

const step = z.object({
  title: z.string().describe("What is done."),
  minutes: z.number().int().min(1).optional(),
});

const input = z.object({
  customer: z.object({ name: z.string(), email: z.email().nullable() }).describe("Who asked."),
  steps: z.array(step).max(5),
  notify: z.discriminatedUnion("by", [
    z.object({ by: z.literal("mail"), to: z.array(z.string()) }),
    z.object({ by: z.literal("none") }),
  ]),
  labels: z.record(z.string(), z.string()),
  limit: z.union([z.number(), z.literal("none")]),
  address: z.object({ city: z.string() }).optional(),
  tone: z.enum(["plain", "formal"]).default("plain"),
  note: z.string().optional(),
  extra: z.any().optional(),
});

/** A workflow whose input has parts of each kind. */
export const registerPlan = (gateway: Gateway, folder: string) => {
  const { Workflow, Task, service, outputs } = createService(
    { input, row: z.object({ ok: z.boolean() }) },
    { dbPath: join(folder, "service.db") },
  );
  gateway.register(
    "plan",
    service(() => (
      <Workflow name="plan">
        <Task id="only" output={outputs.row}>
          {{ ok: true }}
        </Task>
      </Workflow>
    )),
  );
};

/** An input of it. */
export const WRITTEN = {
  customer: { name: "Ada", email: null },
  steps: [{ title: "second", minutes: 5 }, { title: "first" }],
  notify: { by: "mail", to: ["ada@example.com"] },
  labels: { "team name": "docs" },
  limit: 2.5,
  address: { city: "London" },
  note: "one\ntwo",
  extra: { free: [1] },
};
