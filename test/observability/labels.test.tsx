import { describe, expect, it } from "vitest";
import { z } from "zod";
import { renderPrometheusMetrics } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { parseExposition } from "./support/parse-exposition.js";

const SECRET = "sk-0123456789";
const schemas = { row: z.object({ n: z.number() }) };

/** Runs a workflow whose ids, input, error and rows are all of their own. */
async function runMany(times: number): Promise<void> {
  const { api, run } = openScene({ ...schemas, input: z.object({ key: z.string() }) });
  const { Workflow, Task, service, outputs } = api;
  for (let at = 0; at < times; at += 1) {
    const workflow = service((ctx) => (
      <Workflow name={`workflow-${at}`}>
        <Task id={`task-${at}`} output={outputs.row} retries={0} continueOnFail>
          {() => {
            throw new TypeError(`Refused with ${ctx.input.key}.`);
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow, { runId: `run-${at}`, input: { key: SECRET } });
  }
}

describe("labels", () => {
  it("do not become more with runs, nodes, workflows and errors", async () => {
    await runMany(1);
    const lines = renderPrometheusMetrics().split("\n").length;
    await runMany(30);
    expect(renderPrometheusMetrics().split("\n").length).toBe(lines);
  });

  it("hold nothing of a run: no id, no name, no input, no message", async () => {
    await runMany(2);
    expect(renderPrometheusMetrics()).not.toMatch(
      new RegExp(`run-\\d|task-\\d|workflow-\\d|${SECRET}|Refused`),
    );
  });

  it("are of names whose values are few", async () => {
    await runMany(1);
    const samples = [...parseExposition(renderPrometheusMetrics()).values()].flatMap(
      ({ samples }) => samples,
    );
    const names = new Set(samples.flatMap(({ labels }) => Object.keys(labels)));
    const few = [
      "agent",
      "kind",
      "le",
      "method",
      "model",
      "route",
      "runtime",
      "status",
      "status_class",
      "status_code",
      "stream",
      "webhook",
      "outcome",
    ];
    expect([...names].filter((name) => !few.includes(name))).toEqual([]);
  });
});
