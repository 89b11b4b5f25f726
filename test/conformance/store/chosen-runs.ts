import { describe, expect, it } from "vitest";
import type { RunConfig } from "../../../src/model/run-config.js";
import type { RunDecider } from "../../../src/model/run.js";
import type { RunCommit } from "../../../src/store/contract.js";
import type { RunFilter } from "../../../src/store/filters.js";
import { INTENTS, newRun, node, request, step, T0 } from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

const DAY = 24 * 60 * 60_000;

export function chosenRuns(scenario: StoreScenario): void {
  describe("runs that are chosen", () => {
    it("are those with failures, those that wait for something, and those that one person may decide", async () => {
      const store = await scenario.open();
      const commit = async (runId: string, changes: Partial<RunCommit>) => {
        await store.createRun(newRun({ runId, ownerId: "owner-1" }));
        await store.commit(step({ lease: { runId, ownerId: "owner-1", epoch: 1 }, ...changes }));
      };
      const ask = (allowedUsers: string[] | null, allowedScopes: string[] | null) => [
        { ...request, allowedUsers, allowedScopes },
      ];
      await commit("good", { run: { status: "finished" }, nodes: [node("a", { state: "finished" })] });
      await commit("tolerated", {
        run: { status: "finished", summary: { failedChildKeys: ["a::0"] } },
        nodes: [node("a", { state: "failed" })],
      });
      await commit("failed", { run: { status: "failed" } });
      await commit("on its way", {
        nodes: [node("a", { state: "failed" }), node("b", { state: "waiting-timer" })],
      });
      await commit("all quota", { run: { status: "waiting-quota" } });
      await commit("over", { run: { status: "cancelled" }, nodes: [node("a", { state: "waiting-timer" })] });
      await commit("for all", { approvals: ask(null, []) });
      await commit("for ada", { approvals: ask(['eve"', "ada"], null) });
      await commit("for leads", { approvals: ask([], ["lead"]) });
      await commit("answered", { approvals: ask(null, null) });
      await store.submitIntent({
        runId: "answered",
        intent: INTENTS.approval,
        createdAtMs: T0,
        dedupeKey: `approval:gate::0@${T0}:abc#0`,
      });
      const ids = async (filter: Partial<RunFilter>) =>
        (await store.listRuns({ limit: 20, ...filter })).map(({ runId }) => runId).toSorted();
      expect(await ids({ withFailures: true })).toEqual(["failed", "on its way", "tolerated"]);
      expect(await ids({ waitsFor: ["timer"] })).toEqual(["on its way"]);
      expect(await ids({ waitsFor: ["quota", "timer"] })).toEqual(["all quota", "on its way"]);
      expect(await ids({ waitsFor: [] })).toEqual([]);
      const mine = (decidedBy: string | undefined, scopes: RunDecider["scopes"]) =>
        ids({ decidableBy: { scopes, ...(decidedBy !== undefined && { decidedBy }) } });
      expect(await mine(undefined, [])).toEqual(["for all"]);
      expect(await mine("ada", ["lead"])).toEqual(["for ada", "for all", "for leads"]);
      for (const other of ["Ada", "eve", "ada,", "%"]) expect(await mine(other, [])).toEqual(["for all"]);
      expect(await mine('eve"', "all")).toEqual(["for ada", "for all", "for leads"]);
      const counted = await store.countRunsByTime({ withFailures: true, waitsFor: ["timer"] }, DAY);
      expect(counted.map(({ status, count }) => [status, count])).toEqual([["running", 1]]);
    });

    it("are those with a text in their id or a value of their input, whatever table has that", async () => {
      const essays = await scenario.open();
      await essays.createRun(newRun({ runId: "Tea-1", input: { topic: "100% green_ Äpfel" } }));
      await essays.createRun(newRun({ runId: "r2", input: { topic: "TEA", depth: 4711 } }));
      const anything = await scenario.open({});
      const input = { list: [{ says: 'a "quoted" line\nand more' }] };
      await anything.createRun(newRun({ runId: "r3", workflowName: "any", input }));
      const ids = async (text: string) =>
        (await essays.listRuns({ limit: 20, text })).map(({ runId }) => runId).toSorted();
      expect(await ids("tea")).toEqual(["Tea-1", "r2"]);
      expect(await ids("0% g")).toEqual(["Tea-1"]);
      expect(await ids("n_")).toEqual(["Tea-1"]);
      expect(await ids("Äpf")).toEqual(["Tea-1"]);
      expect(await ids("471")).toEqual(["r2"]);
      expect(await ids('"QUOTED" line\nand')).toEqual(["r3"]);
      for (const none of ["_%", "!", "topic", "0%g"]) expect(await ids(none)).toEqual([]);
      const counted = await essays.countRunsByTime({ text: "tea" }, DAY);
      expect(counted.map(({ count }) => count)).toEqual([2]);
      expect(await essays.oldestRun({ text: "coffee" })).toBeUndefined();
    });

    it("are those with annotations, which no other member of their configuration is taken for", async () => {
      const store = await scenario.open();
      const add = (runId: string, more: Partial<RunConfig>) =>
        store.createRun(newRun({ runId, config: { ...newRun().config, ...more } }));
      await add("core", { annotations: { team: "core", pr: 12, urgent: true } });
      await add("text", { annotations: { team: "corex", pr: "12", 'odd" name': 'a "b", c' } });
      await add("other", {
        config: { team: "core", annotations: { team: "core" } },
        annotations: { pr: 123 },
      });
      await add("escaped", { annotations: { '"team': "core", says: ',"team":"core",' } });
      await add("none", {});
      const ids = async (annotations: RunFilter["annotations"]) =>
        (await store.listRuns({ limit: 20, ...(annotations && { annotations }) }))
          .map(({ runId }) => runId)
          .toSorted();
      expect(await ids({ team: "core" })).toEqual(["core"]);
      expect(await ids({ pr: "12" })).toEqual(["core", "text"]);
      expect(await ids({ pr: 12, urgent: "true" })).toEqual(["core"]);
      expect(await ids({ 'odd" name': 'a "b", c' })).toEqual(["text"]);
      expect(await ids({ team: "core", pr: "123" })).toEqual([]);
      expect(await ids({ team: "%" })).toEqual([]);
      expect(await ids({})).toHaveLength(5);
      const counted = await store.countRunsByTime({ annotations: { pr: "12" } }, DAY);
      expect(counted.map(({ count }) => count)).toEqual([2]);
    });
  });
}
