import { expect, it } from "vitest";
import { z } from "zod";
import { runWorkflow, signalRun } from "../../src/index.js";
import type { LoadedFile } from "../../src/model/loaded-file.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { go: z.object({}), output: z.object({ ok: z.boolean() }) };
const lib = (hash: string): LoadedFile[] => [{ kind: "code", path: "lib.ts", hash }];

/** The same workflow as a loader gives it, made of such files. */
function loading() {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Branch, ContinueAsNew, Signal, Task, outputs, service } = scene.api;
  const made = (workflowLoaded: LoadedFile[] | undefined) =>
    service(
      (ctx) => (
        <Workflow name="loaded">
          <Sequence>
            <Signal id="go" schema={outputs.go} />
            <Branch if={ctx.continuation === undefined} then={<ContinueAsNew />} />
            <Task id="last" output={outputs.output}>
              {{ ok: true }}
            </Task>
          </Sequence>
        </Workflow>
      ),
      workflowLoaded === undefined ? {} : { workflowLoaded },
    );
  return { ...scene, made };
}

it("a resume with other files is refused and changes nothing; accepted, it is in the log and what counts from then on", async () => {
  const { made, store, events, eventTypes } = loading();
  await runWorkflow(made(lib("a")), { runId: "run", input: {} });
  const before = await eventTypes();
  const refused = runWorkflow(made(lib("b")), { runId: "run", resume: true });
  const files = [{ path: "lib.ts", change: "changed" }];
  await expect(refused).rejects.toMatchObject({
    code: "RESUME_METADATA_MISMATCH",
    message: expect.stringContaining("~ file lib.ts (changed)"),
    details: { runId: "run", changes: [], files },
  });
  expect(await eventTypes()).toEqual(before);
  expect(await store.getLoadedFiles("run")).toEqual(lib("a"));

  await runWorkflow(made(lib("b")), { runId: "run", resume: true, acceptWorkflowChange: true });
  expect(await events("WorkflowChangeAccepted")).toMatchObject([{ changes: [], files }]);
  expect(await store.getLoadedFiles("run")).toEqual(lib("b"));
  const back = runWorkflow(made(lib("a")), { runId: "run", resume: true });
  await expect(back).rejects.toMatchObject({ code: "RESUME_METADATA_MISMATCH" });
});

it("a run that was started when nothing was kept has the files of its next resume", async () => {
  const { made, store } = loading();
  await runWorkflow(made(undefined), { runId: "run", input: {} });
  expect(await store.getLoadedFiles("run")).toBeNull();
  await runWorkflow(made(lib("a")), { runId: "run", resume: true });
  expect(await store.getLoadedFiles("run")).toEqual(lib("a"));
});

it("a program that has its code from elsewhere continues a run of a file", async () => {
  const { made, store } = loading();
  await runWorkflow(made(lib("a")), { runId: "run", input: {} });
  const { status } = await runWorkflow(made(undefined), { runId: "run", resume: true });
  expect(status).toBe("waiting-event");
  expect(await store.getLoadedFiles("run")).toEqual(lib("a"));
});

it("the run that continues another one has its files", async () => {
  const { made, store } = loading();
  await runWorkflow(made(lib("a")), { runId: "run", input: {} });
  await signalRun(made(lib("a")), { runId: "run", signal: "go" });
  const { runId } = await runWorkflow(made(lib("a")), { runId: "run", resume: true });
  expect(runId).not.toBe("run");
  expect(await store.getLoadedFiles(runId)).toEqual(lib("a"));
});
