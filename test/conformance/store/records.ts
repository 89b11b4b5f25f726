import { taskKey } from "../../../src/model/address.js";
import { describe, expect, it } from "vitest";
import type { ApprovalRow } from "../../../src/model/approval.js";
import type { AgentQuestion } from "../../../src/model/agent-question.js";
import type { ControlState } from "../../../src/model/plan.js";
import type { CacheRow, UsageRow } from "../../../src/store/contract.js";
import { attempt, newRun, node, request, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const failure = { name: "ServiceError", code: "TASK_TIMEOUT", message: "slow", details: { limitMs: 5 } };

export function records(scenario: StoreScenario): void {
  describe("nodes", () => {
    it("keep every field, and take the newest state", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const full = node("a@@loop=2", {
        iteration: 3,
        state: "waiting-timer",
        lastAttempt: 2,
        failures: 1,
        failureFingerprint: "ff",
        identicalFailures: 1,
        dueAtMs: T0 + 5,
        waitingSinceMs: T0 + 1,
        wait: { kind: "event", event: "paid", correlationId: "7" },
        kind: "event",
        loopId: "loop",
        label: "Ünïcode",
        updatedAtMs: T0 + 2,
        finishedSeq: 9,
        error: failure,
      });
      await store.commit(step({ nodes: [full, node("b")] }));
      expect(await store.listNodes("run-1")).toEqual([full, node("b")]);
      const healed = { ...full, state: "finished" as const, error: null, dueAtMs: null };
      await store.commit(step({ nodes: [healed] }));
      expect(await store.listNodes("run-1")).toEqual([healed, node("b")]);
    });

    it("are found by their address, and by their id at the newest iteration", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const [first, second] = [node("b"), node("b", { iteration: 1, state: "failed" })];
      await store.commit(step({ nodes: [node("a"), first, second], approvals: [request] }));
      expect(await store.getNode("run-1", "b", 0)).toEqual(first);
      expect(await store.getNode("run-1", "b")).toEqual(second);
      expect(await store.getNode("run-1", "c")).toBeUndefined();
      expect(await store.getApproval("run-1", "gate", 0)).toEqual(request);
      expect(await store.getApproval("run-1", "gate", 1)).toBeUndefined();
    });

    it("are counted by state", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(
        step({ nodes: [node("a"), node("b"), node("b", { iteration: 1, state: "failed" })] }),
      );
      expect(await store.countNodes("run-1")).toEqual({ pending: 2, failed: 1 });
      expect(await store.countNodes("none")).toEqual({});
    });
  });

  describe("attempts", () => {
    it("keep every field, are listed by node, and open ones are loaded with the run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const ended = attempt("a", {
        state: "failed",
        finishedAtMs: T0 + 9,
        heartbeatAtMs: T0 + 8,
        heartbeatJson: '{"page":3}',
        error: failure,
        cached: true,
        meta: { agentId: "g", agentModel: "m", outputMode: "tool", custom: [1] },
      });
      const open = attempt("a", { attempt: 2 });
      const later = attempt("a", { iteration: 1 });
      const other = attempt("b");
      await store.commit(step({ attempts: [ended, open, later, other] }));
      expect(await store.listAttempts("run-1")).toEqual([ended, open, later, other]);
      expect(await store.listAttempts("run-1", "a")).toEqual([ended, open, later]);
      expect(await store.listAttempts("run-1", "a", 0)).toEqual([ended, open]);
      expect((await store.loadRun("run-1"))?.openAttempts).toEqual([open, later, other]);
      await store.commit(step({ attempts: [{ ...open, state: "interrupted", finishedAtMs: T0 + 10 }] }));
      expect((await store.loadRun("run-1"))?.openAttempts).toEqual([later, other]);
    });
  });

  describe("approvals", () => {
    it("keep the request, then the decision", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.commit(step({ approvals: [request] }));
      expect(await store.listApprovals({ limit: 10 })).toEqual([request]);
      const decided: ApprovalRow = {
        ...request,
        status: "approved",
        decidedAtMs: T0 + 1,
        decision: { approved: true, note: "ok", decidedBy: "ada", selected: "yes", ranked: ["yes"] },
        autoApproved: true,
      };
      await store.commit(step({ approvals: [decided] }));
      expect(await store.listApprovals({ runId: "run-1", limit: 10 })).toEqual([decided]);
    });

    it("are listed over all runs, longest waiting first, by status, workflow and run", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "run-2", workflowName: "poem" }));
      await store.commit(
        step({
          approvals: [
            { ...request, requestedAtMs: T0 + 2 },
            { ...request, nodeId: "done", status: "denied" },
          ],
        }),
      );
      await store.commit(
        step({
          lease: { runId: "run-2", ownerId: "owner-1", epoch: 1 },
          approvals: [{ ...request, runId: "run-2", requestedAtMs: T0 + 1 }],
        }),
      );
      const found = async (filter: object) =>
        (await store.listApprovals({ limit: 10, ...filter })).map(
          ({ runId, nodeId }) => `${runId}/${nodeId}`,
        );
      expect(await found({ status: "requested" })).toEqual(["run-2/gate", "run-1/gate"]);
      expect(await found({ status: "requested", limit: 1 })).toEqual(["run-2/gate"]);
      expect(await found({ workflowName: "poem" })).toEqual(["run-2/gate"]);
      expect(await found({ runId: "run-1", status: "denied" })).toEqual(["run-1/done"]);
    });
  });

  describe("control states", () => {
    it("are kept per kind and id, newest state only", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const loop: ControlState = { kind: "loop", id: "x", iteration: 1, done: false, exhausted: false };
      const scope: ControlState = {
        kind: "scope",
        id: "x",
        phase: "recover",
        error: failure,
        failedKey: taskKey({ nodeId: "a", iteration: 0 }),
      };
      await store.commit(step({ controls: [loop, scope] }));
      await store.commit(step({ controls: [{ ...loop, iteration: 2, done: true }] }));
      expect(await store.listControls("run-1")).toEqual([{ ...loop, iteration: 2, done: true }, scope]);
    });
  });

  describe("usage", () => {
    it("keeps what a call reported, without inventing what it did not", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const call: UsageRow = {
        runId: "run-1",
        nodeId: "a",
        iteration: 0,
        attempt: 1,
        callNo: 0,
        agentId: "g",
        inputTokens: 10,
        outputTokens: 2,
        atMs: T0 + 1,
      };
      const detailed: UsageRow = {
        ...call,
        callNo: 1,
        model: "m",
        cacheReadTokens: 1,
        cacheWriteTokens: 0,
        reasoningTokens: 3,
        atMs: T0 + 2,
      };
      await store.commit(step({ usage: [detailed, call] }));
      await store.commit(step({ usage: [call] }));
      expect(await store.listUsage("run-1")).toEqual([call, detailed]);
    });
  });

  describe("questions to agents", () => {
    it("are listed by attempt without their texts, the newest that has asked first of all", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const question = (attempt: number, questionNo: number): AgentQuestion => ({
        nodeId: "a",
        iteration: 0,
        attempt,
        questionNo,
        agentId: "g",
        askedAtMs: T0 + questionNo,
        schemaRetry: questionNo - 1,
        mode: "native",
        prompt: `Ünïcode ${attempt}.${questionNo}`,
        leftOutBytes: 0,
        instructions: questionNo === 1 ? "be brief" : null,
        messagesJson: questionNo === 1 ? '[{"role":"user"}]' : null,
        leftOutMessages: 0,
        schemaJson: questionNo === 1 ? "{}" : null,
      });
      const all = [question(2, 2), question(2, 1), question(1, 1)];
      await store.commit(step({ questions: all }));
      const heads = (attempt?: number) =>
        store.listQuestions("run-1", { nodeId: "a", iteration: 0, attempt });
      const [second, first, older] = all.map(({ attempt, questionNo, agentId, askedAtMs, schemaRetry }) => ({
        attempt,
        questionNo,
        agentId,
        askedAtMs,
        schemaRetry,
      }));
      expect(await heads()).toEqual([first, second]);
      expect(await heads(1)).toEqual([older]);
      expect(await heads(3)).toEqual([]);
      expect(await store.listQuestions("run-1", { nodeId: "a", iteration: 1 })).toEqual([]);
      for (const one of all) expect(await store.getQuestion("run-1", one)).toEqual(one);
      expect(await store.getQuestion("run-1", question(3, 1))).toBeUndefined();
    });
  });

  describe("the cache", () => {
    it("keeps a row per key, the newest one", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const columns = store.codec("draft").encode({ text: "x", words: 1 });
      const row: CacheRow = {
        cacheKey: "k1",
        outputKey: "draft",
        signature: store.codec("draft").signature,
        columns,
        workflowName: "essay",
        nodeId: "a",
        createdAtMs: T0,
        expiresAtMs: null,
      };
      expect(await store.getCache("k1")).toBeUndefined();
      await store.commit(step({ cache: [row] }));
      expect(await store.getCache("k1")).toEqual(row);
      await store.commit(step({ cache: [{ ...row, expiresAtMs: T0 + 5, nodeId: "b" }] }));
      expect(await store.getCache("k1")).toEqual({ ...row, expiresAtMs: T0 + 5, nodeId: "b" });
      await store.commit(step({ cache: [{ ...row, cacheKey: "k2" }] }));
      await store.deleteExpiredCache(T0 + 4);
      expect(await store.getCache("k1")).toBeDefined();
      await store.deleteExpiredCache(T0 + 5);
      expect(await store.getCache("k1")).toBeUndefined();
      expect(await store.getCache("k2")).toBeDefined();
    });
  });
}
