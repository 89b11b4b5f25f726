import { expect, it } from "vitest";
import { z } from "zod";
import { getTaskRuntime, type RunOptions } from "../../src/index.js";
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
