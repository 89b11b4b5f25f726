import { expect, it } from "vitest";
import { z } from "zod";
import { signalRun } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

const go = z.object({ speed: z.number() });

function open() {
  const scene = openScene({ go });
  const { Workflow, Sequence, Signal, Task, ContinueAsNew, Branch, outputs, service } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="signals">
      <Sequence>
        <Signal id="first" schema={outputs.go} />
        <Branch
          if={ctx.continuation === undefined && ctx.config.isContinued === true}
          then={<ContinueAsNew state={1} />}
          else={
            <Task id="between" output={outputs.go}>
              {{ speed: 1 }}
            </Task>
          }
        />
        <Signal id="second" schema={outputs.go} />
      </Sequence>
    </Workflow>
  ));
  const send = (signal: string, runId = "run") =>
    signalRun(workflow, { runId, signal, data: { speed: 2 } }, { clock: scene.time });
  return { ...scene, workflow, send };
}

it("the log has each signal once that comes while no process drives the run", async () => {
  const { run, resume, workflow, send, events } = open();
  expect((await run(workflow)).status).toBe("waiting-event");
  await send("second");
  expect((await resume(workflow)).status).toBe("waiting-event");
  expect((await resume(workflow)).status).toBe("waiting-event");
  await send("first");
  expect((await resume(workflow)).status).toBe("finished");
  const received = await events("SignalReceived");
  expect(received.map(({ signal }) => signal)).toEqual(["second", "first"]);
  const consumed = await events("SignalConsumed");
  expect(consumed.map(({ signalSeq }) => signalSeq).sort()).toEqual(
    received.map(({ signalSeq }) => signalSeq),
  );
});

it("and once of one that came to a process which has died since", async () => {
  const { drive, resume, workflow, send, events, store } = open();
  await drive(workflow);
  await send("second");
  await send("first");
  const commit = store.commit.bind(store);
  let left = 2;
  store.commit = (written) => {
    left -= 1;
    if (left < 0) throw new Error("the process is dead");
    return commit(written);
  };
  await resume(workflow).catch(() => undefined);
  store.commit = commit;
  expect((await resume(workflow, { force: true })).status).toBe("finished");
  expect((await events("SignalReceived")).map(({ signal }) => signal)).toEqual(["second", "first"]);
});

it("a run that continues another tells of the signals that it takes over", async () => {
  const { run, resume, workflow, send, events } = open();
  await run(workflow, { config: { isContinued: true } });
  await send("second");
  await send("first");
  const result = await resume(workflow);
  expect(result.status).toBe("waiting-event");
  expect((await events("SignalReceived", result.runId)).map(({ signal }) => signal)).toEqual(["second"]);
});
