import { expect, it } from "vitest";
import { z } from "zod";
import { getTaskRuntime, type RunOptions, runWorkflow } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { note: z.object({ text: z.string() }) };

/** A run that waits between two looks at its configuration, and what it sees. */
function configured() {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Task, Timer, outputs, service } = scene.api;
  const seen: unknown[] = [];
  const workflow = service((ctx) => (
    <Workflow name="configured">
      <Sequence>
        <Task id="first" output={outputs.note}>
          {(_inputs, { config }) => {
            seen.push(config, getTaskRuntime().config);
            return { text: String(ctx.config["tone"]) };
          }}
        </Task>
        <Timer id="pause" duration="1h" />
        <Task id="second" output={outputs.note}>
          {(_inputs, { config }) => {
            seen.push(config);
            return { text: String(ctx.config["tone"]) };
          }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const texts = async () => (await scene.store.listOutputs("run", "note")).map(({ text }) => text);
  const goOn = (options: RunOptions = {}) => {
    scene.time.moveTo(scene.time.now() + 3_600_000);
    return scene.resume(workflow, options);
  };
  return { ...scene, workflow, seen, texts, goOn };
}

it("the run's config is read by the tree and by tasks, also after a resume that does not give it", async () => {
  const { drive, goOn, workflow, seen, texts } = configured();
  const config = { tone: "dry", limits: { words: 3 } };
  expect((await drive(workflow, { config })).status).toBe("waiting-timer");
  expect((await goOn()).status).toBe("finished");
  expect(seen).toEqual([config, config, config]);
  expect(await texts()).toEqual(["dry", "dry"]);
});

it("a resume may give another config", async () => {
  const { drive, goOn, workflow, texts } = configured();
  await drive(workflow, { config: { tone: "dry" } });
  await goOn({ config: { tone: "warm" } });
  expect(await texts()).toEqual(["dry", "warm"]);
});

it("a run without config has an empty one", async () => {
  const { drive, goOn, workflow, seen } = configured();
  await drive(workflow);
  await goOn();
  expect(seen).toEqual([{}, {}, {}]);
});

it.each([[new Map()], [{ made: () => 1 }], ["text"]])(
  "what JSON would lose is refused: %o",
  async (config) => {
    const { run, workflow } = configured();
    await expect(run(workflow, { config: config as Record<string, unknown> })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining("config"),
    });
  },
);

it.each<[string, object]>([
  ["auth.scopes", { auth: { triggeredBy: "me", role: "r", createdAt: "2026-01-01T00:00:00Z" } }],
  ["auth.user", { auth: { triggeredBy: "me", role: "r", scopes: [], createdAt: "now", user: "me" } }],
  ["annotations", { annotations: { team: { name: "core" } } }],
  ["annotations", { annotations: { share: Number.NaN } }],
  ["initialIterations", { initialIterations: { rounds: "2" } }],
  ["initialIterations", { initialIterations: new Map([["rounds", -1]]) }],
  ["initialOutputs", { initialOutputs: { note: { nodeId: "first" } } }],
  ["resumeClaim.claimOwnerId", { resumeClaim: { claimHeartbeatAtMs: 1 } }],
])("a run is not made with what no resume could read: %s %j", async (option, options) => {
  const { drive, store, workflow } = configured();
  const running = drive(workflow, { runId: "refused", ...options });
  await expect(running).rejects.toMatchObject({
    code: "INVALID_INPUT",
    summary: expect.stringContaining(`Option ${option}: expected`),
  });
  expect(await store.getRun("refused")).toBeUndefined();
});

it.each(["launch", "isQueued", "isForCode", "seen", "updates"])(
  "what hosts say of a drive besides is no option of a program: %s",
  async (name) => {
    const { store, workflow } = configured();
    const running = runWorkflow(workflow, { runId: "refused", input: {}, [name]: true });
    await expect(running).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining(`Option ${name}: expected an option of runWorkflow`),
    });
    expect(await store.getRun("refused")).toBeUndefined();
  },
);
