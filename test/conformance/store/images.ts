import { describe, expect, it } from "vitest";
import {
  attempt,
  codeOf,
  draft,
  events,
  frame,
  newRun,
  node,
  pending,
  schemas,
  step,
  T0,
  WAKE,
} from "./fixtures.js";
import type { StoreScenario } from "./scenario.js";

export function images(scenario: StoreScenario): void {
  describe("the image of a run", () => {
    it("is empty where nothing has happened yet", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      expect(await store.loadRun("run-1")).toEqual({
        run: await store.getRun("run-1"),
        input: { topic: "tea" },
        nodes: [],
        openAttempts: [],
        controls: [],
        outputs: [],
        approvals: [],
        intents: [],
        usage: [],
        pendingScores: [],
        lastSnapshot: [],
        loaded: null,
      });
    });

    it("holds what the single reads give", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      await store.createRun(newRun({ runId: "noise" }));
      await store.commit(
        step({
          nodes: [node("a", { state: "finished", finishedSeq: 0 }), node("b", { state: "in-progress" })],
          attempts: [attempt("a", { state: "finished" }), attempt("b")],
          outputs: [draft(store, "a", { text: "x", words: 1 })],
          controls: [{ kind: "loop", id: "l", iteration: 1, done: false, exhausted: false }],
          events: events(0, pending("a")),
          frames: [frame(1, { snapshot: { encoding: "keyframe", json: "{}" } })],
        }),
      );
      await store.submitIntent({ runId: "run-1", intent: WAKE, createdAtMs: T0 });
      const runSnapshot = await store.loadRun("run-1");
      expect(runSnapshot).toEqual({
        run: await store.getRun("run-1"),
        input: await store.getInput("run-1"),
        nodes: await store.listNodes("run-1"),
        openAttempts: [attempt("b")],
        controls: await store.listControls("run-1"),
        outputs: [{ outputKey: "draft", row: { text: "x", words: 1 } }],
        approvals: [],
        intents: await store.pendingIntents("run-1"),
        usage: [],
        pendingScores: [],
        lastSnapshot: [{ frameNo: 1, encoding: "keyframe", json: "{}" }],
        loaded: await store.getLoadedFiles("run-1"),
      });
      expect(runSnapshot?.outputs[0]?.row.nodeId).toBe("a");
    });

    it("is the same through another handle", async () => {
      const [writer, reader] = [await scenario.open(), await scenario.open()];
      await writer.createRun(newRun());
      await writer.commit(step({ outputs: [draft(writer, "a", { text: "x", words: 1 })] }));
      expect(await reader.loadRun("run-1")).toEqual(await writer.loadRun("run-1"));
    });
  });

  describe("a new run of a commit", () => {
    it("appears together with the step that makes it", async () => {
      const store = await scenario.open();
      await store.createRun(newRun());
      const child = newRun({ runId: "child", parentRunId: "run-1", ownerId: null, input: { topic: "milk" } });
      await store.commit(step({ run: { status: "continued", nextRunId: "child" }, newRuns: [child] }));
      expect(await store.getInput("child")).toEqual({ topic: "milk" });
      expect(await store.getRun("child")).toMatchObject({ parentRunId: "run-1", ownerId: null });
    });
  });

  describe("validation of input", () => {
    it("gives the input as the run will read it", async () => {
      const store = await scenario.open();
      const input = await store.validateInput({ topic: "tea", depth: -0 });
      await store.createRun(newRun({ input }));
      expect(input).toEqual({ topic: "tea", depth: 0 });
      expect(await store.getInput("run-1")).toEqual(input);
    });

    it("refuses what the input table cannot take", async () => {
      const store = await scenario.open();
      expect(await codeOf(() => store.validateInput({ topic: 1 }))).toBe("INVALID_INPUT");
    });

    it("takes any object where the workflow has no input schema", async () => {
      const store = await scenario.open({ draft: schemas.draft });
      const input = await store.validateInput({ any: [1, { deep: null }] });
      await store.createRun(newRun({ input }));
      expect(await store.getInput("run-1")).toEqual({ any: [1, { deep: null }] });
    });
  });
}
