import { expect, it } from "vitest";
import { z } from "zod";
import { approveNode, createService, retryTask, signalRun, type WorkflowNode } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

/*
 * One workflow twice in a tree: each use has its ids for itself.
 */

const text = () => z.object({ text: z.string() });
const child = createService({ input: text(), note: text(), output: text() });
const schemas = {
  note: text(),
  copy: text(),
  ok: z.object({ approved: z.boolean() }),
  output: text(),
  all: z.object({ texts: z.array(z.string()) }),
};

/** Reads what it has written itself, by every way there is. */
const shout = child.service((ctx) => (
  <child.Workflow name="shout">
    <child.Sequence>
      <child.Task id="first" output={child.outputs.note}>
        {{ text: ctx.input.text.toUpperCase() }}
      </child.Task>
      <child.Task id="second" output={child.outputs.note} deps={{ first: child.outputs.note }}>
        {({ first }) => ({ text: `${first.text}!` })}
      </child.Task>
      <child.Task id="third" output={child.outputs.note} needs={{ it: "second" }}>
        {({ it }) => ({ text: `${(it as { text: string }).text}!` })}
      </child.Task>
      <child.Task id="result" output={child.outputs.output} dependsOn={["third"]}>
        {() => ({
          text: [
            ctx.output(child.outputs.note, { nodeId: "third" }).text,
            ctx.latest(child.outputs.note, "second")?.text,
            ctx.outputs.note.length,
            ctx.outputs("note").length,
            ctx.iterationCount(child.outputs.note, "first"),
          ].join(" "),
        })}
      </child.Task>
    </child.Sequence>
  </child.Workflow>
));

function open() {
  const scene = openScene(schemas);
  const texts = async (key: "copy" | "note" | "output") =>
    (await scene.store.listOutputs("run", key)).map(({ nodeId, text: said }) => `${nodeId}: ${String(said)}`);
  const ids = async () => (await scene.store.listNodes("run")).map(({ nodeId }) => nodeId).sort();
  return { ...scene, texts, ids };
}

it("two uses of a workflow run as if they were alone, and the first keeps the ids as they are written", async () => {
  const { api, run, texts, ids } = open();
  const { Workflow, Sequence, Subflow, outputs, service } = api;
  const { status } = await run(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Subflow id="a" mode="inline" workflow={shout} input={{ text: "hey" }} output={outputs.copy} />
          <Subflow id="b" mode="inline" workflow={shout} input={{ text: "ho" }} output={outputs.copy} />
        </Sequence>
      </Workflow>
    )),
  );
  expect(status).toBe("finished");
  expect(await texts("copy")).toEqual(["a: HEY!! HEY! 3 3 1", "b: HO!! HO! 3 3 1"]);
  expect(await ids()).toEqual(
    ["a", "first", "second", "third", "result"]
      .concat(["b", "b/first", "b/second", "b/third", "b/result"])
      .sort(),
  );
});

it("so do uses that run at the same time, inside a use of another workflow, and inside loops", async () => {
  const { api, run, texts } = open();
  const { Workflow, Loop, Parallel, Subflow, outputs, service } = api;
  const relay = child.service((ctx) => (
    <child.Workflow name="relay">
      <child.Subflow id="x" mode="inline" workflow={shout} input={ctx.input} output={child.outputs.note} />
    </child.Workflow>
  ));
  const { status, error } = await run(
    service(() => (
      <Workflow name="w">
        <Parallel>
          <Subflow id="a" mode="inline" workflow={relay} input={{ text: "a" }} output={outputs.copy} />
          <Loop id="rounds" maxIterations={2}>
            <Subflow id="b" mode="inline" workflow={relay} input={{ text: "b" }} output={outputs.copy} />
          </Loop>
        </Parallel>
      </Workflow>
    )),
  );
  expect(error).toBeUndefined();
  expect(status).toBe("finished");
  expect((await texts("copy")).sort()).toEqual(["a: A!! A! 3 3 1", "b: B!! B! 3 3 1", "b: B!! B! 7 7 2"]);
  expect((await texts("note")).filter((each) => /x.*:/.test(each)).sort()).toEqual([
    "b/x: B!! B! 3 3 1",
    "b/x: B!! B! 7 7 2",
    "x: A!! A! 3 3 1",
  ]);
});

it("other workflows, and the one around, may use the same ids too", async () => {
  const { api, run, texts } = open();
  const { Workflow, Sequence, Subflow, Task, outputs, service } = api;
  const other = child.service((ctx) => (
    <child.Workflow name="other">
      <child.Task id="first" output={child.outputs.output}>
        {{ text: `other ${ctx.input.text}` }}
      </child.Task>
    </child.Workflow>
  ));
  const result = await run(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Subflow id="a" mode="inline" workflow={shout} input={{ text: "hey" }} output={outputs.copy} />
          <Subflow id="b" mode="inline" workflow={other} input={{ text: "ho" }} output={outputs.copy} />
          <Task
            id="second"
            output={outputs.copy}
            deps={{ "b/first": outputs.output, "a/first": outputs.note }}
          >
            {(rows) => ({ text: `${rows["b/first"].text} ${rows["a/first"].text}` })}
          </Task>
          <Subflow id="same" mode="inline" workflow={sameId} input={{ text: "so" }} output={outputs.copy} />
        </Sequence>
      </Workflow>
    )),
  );
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({ status: "finished" });
  // The subflow whose ids its surroundings have too is the one that gives way.
  expect(await texts("copy")).toEqual([
    "a: HEY!! HEY! 3 3 1",
    "b: other ho",
    "second: other ho HEY",
    "same: so",
  ]);
});

const sameId = child.service((ctx) => (
  <child.Workflow name="same">
    <child.Task id="same" output={child.outputs.output}>
      {{ text: ctx.input.text }}
    </child.Task>
  </child.Workflow>
));

it("a use that appears later, where another one has left the tree, does not take that one's rows", async () => {
  const { api, drive, resume, texts } = open();
  const { Workflow, Sequence, Approval, Subflow, Task, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="w">
      <Sequence>
        {ctx.outputMaybe("copy", { nodeId: "gone" }) === undefined ? (
          <Sequence>
            <Subflow id="a" mode="inline" workflow={shout} input={{ text: "hey" }} output={outputs.copy} />
            <Task id="gone" output={outputs.copy}>
              {{ text: "" }}
            </Task>
          </Sequence>
        ) : null}
        <Approval id="ask" output={outputs.ok} request={{ title: "On?" }} />
        {ctx.outputMaybe("ok", { nodeId: "ask" }) === undefined ? null : (
          <Subflow id="b" mode="inline" workflow={shout} input={{ text: "ho" }} output={outputs.copy} />
        )}
      </Sequence>
    </Workflow>
  ));
  // The process that mounts the second use has never seen the first.
  expect(await drive(workflow)).toMatchObject({ status: "waiting-approval" });
  await approveNode(workflow, { runId: "run", nodeId: "ask", decidedBy: "ada" });
  expect(await resume(workflow)).toMatchObject({ status: "finished" });
  expect(await texts("copy")).toEqual(["a: HEY!! HEY! 3 3 1", "gone: ", "b: HO!! HO! 3 3 1"]);
});

it("ids stay what they are when uses come, leave, change places and the run is resumed", async () => {
  const { api, drive, resume, ids, attempts } = open();
  const { Workflow, Parallel, Approval, Subflow, outputs, service } = api;
  const use = (id: string): WorkflowNode => (
    <Subflow id={id} key={id} mode="inline" workflow={shout} input={{ text: id }} output={outputs.copy} />
  );
  const flow = (...uses: string[]) =>
    service(() => (
      <Workflow name="w">
        <Parallel>
          {uses.map(use)}
          <Approval id="ask" output={outputs.ok} request={{ title: "On?" }} />
        </Parallel>
      </Workflow>
    ));
  await drive(flow("a", "b"));
  const before = await ids();
  // Other code in another process: the first use is gone, a third stands before the second.
  expect(await resume(flow("c", "b"), { acceptWorkflowChange: true })).toMatchObject({
    status: "waiting-approval",
  });
  expect(await ids()).toEqual([...before, "c", "c/first", "c/second", "c/third", "c/result"].sort());
  expect(await resume(flow("b", "a", "c"), { acceptWorkflowChange: true })).toMatchObject({
    status: "waiting-approval",
  });
  expect(await attempts("b/first")).toHaveLength(1);
  expect(await attempts("first")).toHaveLength(1);
  await approveNode(flow("a"), { runId: "run", nodeId: "ask", decidedBy: "ada" });
  expect(await resume(flow("b", "a", "c"), { acceptWorkflowChange: true })).toMatchObject({
    status: "finished",
  });
});

it("approvals, signals, timers, loops, blocks and retries inside are addressed by the ids of their use", async () => {
  const { api, drive, resume, time, attempts, node, store } = open();
  const { Workflow, Parallel, Subflow, outputs, service } = api;
  const inner = createService({ input: text(), note: text(), ok: schemas.ok, output: text() });
  let failing = true;
  const steps = inner.service((ctx) => (
    <inner.Workflow name="steps">
      <inner.Sequence>
        <inner.Approval id="ask" output={inner.outputs.ok} request={{ title: "On?" }} />
        <inner.Timer id="pause" duration="1h" />
        <inner.Signal id={`${ctx.input.text}-news`} schema={inner.outputs.note} />
        <inner.Loop id="rounds" maxIterations={3} until={ctx.iterations["rounds"] === 1}>
          <inner.Task id="round" output={inner.outputs.note}>
            {{ text: `round ${ctx.iterations["rounds"]}` }}
          </inner.Task>
        </inner.Loop>
        <inner.TryCatchFinally
          id="block"
          try={
            <inner.Task id="fails" output={inner.outputs.note} retries={0}>
              {() => {
                if (failing && ctx.input.text === "two") throw new Error("Not yet.");
                return { text: "fine" };
              }}
            </inner.Task>
          }
          catch={(error) => (
            <inner.Task id="caught" output={inner.outputs.note}>
              {{ text: error.message }}
            </inner.Task>
          )}
        />
        <inner.Task id="end" output={inner.outputs.output}>
          {(_needs, { failure }) => ({
            text: `${ctx.latest("note", "round")?.text} ${ctx.iterationCount("note", "round")} ${failure("fails")?.message}`,
          })}
        </inner.Task>
      </inner.Sequence>
    </inner.Workflow>
  ));
  const workflow = service(() => (
    <Workflow name="w">
      <Parallel>
        <Subflow id="a" mode="inline" workflow={steps} input={{ text: "one" }} output={outputs.copy} />
        <Subflow id="b" mode="inline" workflow={steps} input={{ text: "two" }} output={outputs.copy} />
      </Parallel>
    </Workflow>
  ));
  await drive(workflow);
  await approveNode(workflow, { runId: "run", nodeId: "b/ask", decidedBy: "ada" });
  expect(await resume(workflow)).toMatchObject({ status: "waiting-approval" });
  expect(await node("b/pause")).toMatchObject({ state: "waiting-timer" });
  expect(await node("ask")).toMatchObject({ state: "waiting-approval" });
  await approveNode(workflow, { runId: "run", nodeId: "ask", decidedBy: "ada" });
  for (const signal of ["one", "two"]) {
    await signalRun(workflow, { runId: "run", signal: `${signal}-news`, data: { text: "hey" } });
  }
  await resume(workflow);
  await time.advance(3_600_000);
  expect(await resume(workflow)).toMatchObject({ status: "finished" });
  const results = async () =>
    (await store.listOutputs("run", "copy"))
      .map(({ nodeId, text: said }) => `${nodeId}: ${String(said)}`)
      .sort();
  expect(await results()).toEqual(["a: round 1 2 undefined", "b: round 1 2 Not yet."]);
  failing = false;
  await retryTask(workflow, { runId: "run", nodeId: "b/fails" });
  expect(await resume(workflow)).toMatchObject({ status: "finished" });
  expect(await results()).toEqual(["a: round 1 2 undefined", "b: round 1 2 undefined"]);
  expect(await attempts("fails")).toHaveLength(1);
  expect(await attempts("b/fails")).toHaveLength(2);
});

it("the result of a use is what its workflow itself writes, not what other uses inside it do", async () => {
  const { api, run, texts } = open();
  const { Workflow, Sequence, Subflow, outputs, service } = api;
  const both = child.service(() => (
    <child.Workflow name="both">
      <child.Sequence>
        <child.Subflow
          id="x"
          mode="inline"
          workflow={sameId}
          input={{ text: "x" }}
          output={child.outputs.note}
        />
        <child.Subflow
          id="y"
          mode="inline"
          workflow={sameId}
          input={{ text: "y" }}
          output={child.outputs.note}
        />
        <child.Task
          id="sum"
          output={child.outputs.output}
          deps={{ x: child.outputs.note, y: child.outputs.note }}
        >
          {({ x, y }) => ({ text: `${x.text} and ${y.text}` })}
        </child.Task>
      </child.Sequence>
    </child.Workflow>
  ));
  const result = await run(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Subflow id="a" mode="inline" workflow={both} input={{ text: "" }} output={outputs.copy} />
          <Subflow id="b" mode="inline" workflow={both} input={{ text: "" }} output={outputs.copy} />
        </Sequence>
      </Workflow>
    )),
  );
  expect(result.error).toBeUndefined();
  expect(await texts("copy")).toEqual(["a: x and y", "b: x and y"]);
});
