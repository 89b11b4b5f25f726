import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { hashCapabilityRegistry } from "../../src/agents/capabilities/hash-capability-registry.js";
import { generateStructured } from "../../src/agents/structured/generate-structured.js";
import { readAgentResult } from "../../src/agents/structured/read-agent-result.js";
import { ServiceError } from "../../src/errors/service-error.js";
import type { AgentCliEvent, AgentLike } from "../../src/model/agent.js";

/** A kind of agent with a backend that the suite can tell what to do. */
export interface AgentLikeHarness {
  /** Makes the backend answer the next questions with these texts, the last one from then on. */
  answers(...texts: string[]): void | Promise<void>;
  /** Makes it fail every question with something that does not pass by itself. */
  fails(): void | Promise<void>;
  /** Makes it report an exhausted quota. */
  runsOutOfQuota(): void | Promise<void>;
  /** Makes it take questions and never answer them. */
  hangs(): void | Promise<void>;
  agent(): AgentLike;
  /** Folder that tasks may work in. */
  readonly rootDir: string;
  close(): void | Promise<void>;
}

/** What every agent owes the engine, whatever it is made of. */
export function describeAgentLike(
  name: string,
  open: () => AgentLikeHarness | Promise<AgentLikeHarness>,
): void {
  describe(`${name} as an AgentLike`, () => {
    let harness: AgentLikeHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(async () => {
      await harness.close();
    });

    /** One generation, with the events that it reported. */
    async function ask(prompt: string, extra: Record<string, unknown> = {}) {
      const events: AgentCliEvent[] = [];
      const { rootDir } = harness;
      const result = harness
        .agent()
        .generate({ prompt, rootDir, onEvent: (event) => events.push(event), ...extra });
      return { result: readAgentResult(await result), events };
    }

    async function rejection(extra: Record<string, unknown> = {}) {
      const events: AgentCliEvent[] = [];
      const error: unknown = await harness
        .agent()
        .generate({
          prompt: "Hello",
          rootDir: harness.rootDir,
          onEvent: (event) => events.push(event),
          ...extra,
        })
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
      return { error, events };
    }

    it("answers a prompt with text", async () => {
      await harness.answers("Forty-two.");
      const { result } = await ask("What is the answer?");
      expect(result.text?.trim()).toBe("Forty-two.");
    });

    it("answers a conversation that comes as messages", async () => {
      await harness.answers("Yes.");
      const messages = [{ role: "user", content: "Are you there?" }];
      const { result } = await ask("", { prompt: undefined, messages });
      expect(result.text?.trim()).toBe("Yes.");
    });

    it("takes members of the call that it does not know", async () => {
      await harness.answers("Fine.");
      const { result } = await ask("Hello", { retry: true, retryAttempt: 2, unheardOf: { of: ["things"] } });
      expect(result.text?.trim()).toBe("Fine.");
    });

    it("frames what it tells by one start and one end", async () => {
      await harness.answers("Done.");
      const { events } = await ask("Do it");
      if (events.length === 0) return;
      const types = events.map(({ type }) => type);
      expect(types[0]).toBe("started");
      expect(types.at(-1)).toBe("completed");
      expect(types.filter((type) => type !== "action")).toEqual(["started", "completed"]);
      expect(new Set(events.map(({ engine }) => engine)).size).toBe(1);
      expect(events.at(-1)).toMatchObject({ ok: true });
    });

    it("reports tokens as counts, and the same ones at the end as in its result", async () => {
      await harness.answers("Counted.");
      const { result, events } = await ask("Count");
      const { usage } = result;
      if (usage === undefined) return;
      for (const key of ["inputTokens", "outputTokens"] as const) {
        expect(Number.isInteger(usage[key]) && usage[key] >= 0).toBe(true);
      }
      const end = events.at(-1);
      if (end?.type === "completed") expect(end.usage).toMatchObject({ inputTokens: usage.inputTokens });
    });

    it("rejects when its backend fails, and says so at the end", async () => {
      await harness.fails();
      const { error, events } = await rejection();
      expect(error).toBeInstanceOf(Error);
      const end = events.at(-1);
      if (end !== undefined) expect(end).toMatchObject({ type: "completed", ok: false });
    });

    it("rejects with AGENT_QUOTA_EXCEEDED when its quota is used up", async () => {
      await harness.runsOutOfQuota();
      const schema = z.object({ answer: z.string() });
      const { rootDir } = harness;
      const call = generateStructured({ agent: harness.agent(), prompt: "Hello", schema, args: { rootDir } });
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(ServiceError.is(error, "AGENT_QUOTA_EXCEEDED")).toBe(true);
    });

    it("stops when its signal fires", async () => {
      await harness.hangs();
      const controller = new AbortController();
      const pending = rejection({ abortSignal: controller.signal });
      setImmediate(() => controller.abort(new Error("no longer wanted")));
      expect((await pending).error).toBeInstanceOf(Error);
    });

    it("does not begin when its signal has already fired", async () => {
      await harness.answers("Too late.");
      const { error } = await rejection({ abortSignal: AbortSignal.abort(new Error("no longer wanted")) });
      expect(error).toBeInstanceOf(Error);
    });

    it("keeps generations that run at once apart", async () => {
      await harness.answers("Same answer.");
      const both = await Promise.all([ask("One"), ask("Two")]);
      for (const { result, events } of both) {
        expect(result.text?.trim()).toBe("Same answer.");
        expect(events.filter(({ type }) => type === "completed").length).toBeLessThanOrEqual(1);
      }
    });

    it("gives structured output, after a correction if need be", async () => {
      await harness.answers('{"answer": 42}', '{"answer": "42"}');
      const schema = z.object({ answer: z.string() });
      const { rootDir } = harness;
      const answer = await generateStructured({
        agent: harness.agent(),
        prompt: "What?",
        schema,
        args: { rootDir },
      });
      expect(answer.row).toEqual({ answer: "42" });
    });

    it("describes its abilities in a registry that has a hash", () => {
      const { capabilities } = harness.agent();
      expect(capabilities?.version ?? 1).toBe(1);
      expect(hashCapabilityRegistry(capabilities)).toMatch(/^[0-9a-f]{64}$/);
    });

    it("passes its own start-up check when nothing is amiss", async () => {
      await harness.answers("Ready.");
      const check = Promise.resolve(harness.agent().preflight?.({ rootDir: harness.rootDir }));
      await expect(check).resolves.toBeUndefined();
    });
  });
}
