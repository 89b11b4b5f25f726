import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ServiceError } from "../../src/index.js";
import { openScene, type Scene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }), other: z.object({ text: z.string() }) };
type TestScene = Scene<typeof schemas>;

/**
 * Runs `before` until its task `gate` fails the run, then resumes with `after`, in
 * which everything named `gate` succeeds.
 */
async function change(
  before: (scene: TestScene) => ReactNode,
  after: (scene: TestScene) => ReactNode,
  options: { acceptWorkflowChange?: boolean } = {},
) {
  const scene = openScene(schemas);
  const { service } = scene.api;
  expect((await scene.run(service(() => before(scene)))).status).toBe("failed");
  const resumed = service(() => after(scene));
  const outcome: unknown = await scene.resume(resumed, options).catch((error: unknown) => error);
  return { scene, outcome, resumed };
}

let open = false;

function Gate({ scene }: { scene: TestScene }) {
  const { Task, outputs } = scene.api;
  return (
    <Task id="gate" output={outputs.step} retries={0}>
      {() => {
        if (!open) throw new Error("closed");
        return { n: 0 };
      }}
    </Task>
  );
}

function steps(scene: TestScene, ...children: ReactNode[]) {
  const { Workflow } = scene.api;
  return (
    <Workflow name="changing">
      {children}
      <Gate key="gate" scene={scene} />
    </Workflow>
  );
}

describe("a workflow that changed since its run started", () => {
  it("is refused with a list of what was added, removed and changed", async () => {
    open = false;
    const { outcome, scene } = await change(
      (s) =>
        steps(
          s,
          <s.api.Task key="a" id="kept" output={s.api.outputs.step}>
            {() => ({ n: 1 })}
          </s.api.Task>,
          <s.api.Task key="b" id="edited" output={s.api.outputs.step}>
            {() => ({ n: 2 })}
          </s.api.Task>,
          <s.api.Task key="c" id="dropped" output={s.api.outputs.step}>
            {() => ({ n: 3 })}
          </s.api.Task>,
        ),
      (s) =>
        steps(
          s,
          <s.api.Task key="a" id="kept" output={s.api.outputs.step}>
            {() => ({ n: 1 })}
          </s.api.Task>,
          <s.api.Task key="b" id="edited" output={s.api.outputs.step}>
            {() => ({ n: 22 })}
          </s.api.Task>,
          <s.api.Task key="d" id="new" output={s.api.outputs.step}>
            {() => ({ n: 4 })}
          </s.api.Task>,
        ),
    );
    expect(outcome).toMatchObject({
      name: "ServiceError",
      code: "RESUME_METADATA_MISMATCH",
      details: {
        runId: "run",
        changes: [
          { nodeId: "edited", change: "changed" },
          { nodeId: "new", change: "added" },
          { nodeId: "dropped", change: "removed" },
        ],
      },
    });
    const { message } = outcome as ServiceError;
    expect(message).toContain("~ edited (changed), + new (added), - dropped (removed)");
    expect(message).toContain("acceptWorkflowChange");
    expect((await scene.store.getRun("run"))?.status).toBe("failed");
    expect((await scene.store.getRun("run"))?.ownerId).toBeNull();
  });

  it("continues when the change is accepted: finished tasks keep their rows, new ones run", async () => {
    open = false;
    const ran: string[] = [];
    const task = (s: TestScene, id: string, n: number) => (
      <s.api.Task key={id} id={id} output={s.api.outputs.step}>
        {n === 1
          ? () => {
              ran.push(`${id} before`);
              return { n: 1 };
            }
          : () => {
              ran.push(`${id} after`);
              return { n: 2 };
            }}
      </s.api.Task>
    );
    const scene = openScene(schemas);
    const { service } = scene.api;
    await scene.run(service(() => steps(scene, task(scene, "kept", 1), task(scene, "dropped", 1))));
    open = true;
    const changed = service(() => steps(scene, task(scene, "kept", 2), task(scene, "new", 2)));
    const result = await scene.resume(changed, { acceptWorkflowChange: true });
    expect(result.status).toBe("finished");
    expect(ran).toEqual(["kept before", "dropped before", "new after"]);
    expect(await scene.events("WorkflowChangeAccepted")).toMatchObject([
      {
        changes: [
          { nodeId: "kept", change: "changed" },
          { nodeId: "new", change: "added" },
          { nodeId: "dropped", change: "removed" },
        ],
      },
    ]);
  });

  it("is not asked about again once the change was accepted", async () => {
    open = false;
    const { scene, outcome, resumed } = await change(
      (s) => steps(s),
      (s) =>
        steps(
          s,
          <s.api.Task key="new" id="new" output={s.api.outputs.step}>
            {() => ({ n: 4 })}
          </s.api.Task>,
        ),
      { acceptWorkflowChange: true },
    );
    expect(outcome).toMatchObject({ status: "failed" });
    open = true;
    expect((await scene.resume(resumed)).status).toBe("finished");
  });

  it("counts a changed output schema and a changed agent as changes, a changed limit not", async () => {
    open = false;
    const agent = (id: string) => ({ id, generate: async () => ({ n: 1 }) });
    const { outcome } = await change(
      (s) =>
        steps(
          s,
          <s.api.Task key="a" id="target" output={s.api.outputs.step}>
            {{ n: 1 }}
          </s.api.Task>,
          <s.api.Task key="b" id="asked" output={s.api.outputs.step} agent={agent("small")}>
            Count.
          </s.api.Task>,
          <s.api.Task key="c" id="limited" output={s.api.outputs.step} timeoutMs={1_000} retries={1}>
            {{ n: 1 }}
          </s.api.Task>,
        ),
      (s) =>
        steps(
          s,
          <s.api.Task key="a" id="target" output={s.api.outputs.other}>
            {{ text: "1" }}
          </s.api.Task>,
          <s.api.Task key="b" id="asked" output={s.api.outputs.step} agent={agent("large")}>
            Count.
          </s.api.Task>,
          <s.api.Task key="c" id="limited" output={s.api.outputs.step} timeoutMs={9_000} retries={5}>
            {{ n: 1 }}
          </s.api.Task>,
        ),
    );
    expect((outcome as ServiceError).details?.["changes"]).toEqual([
      { nodeId: "target", change: "changed" },
      { nodeId: "asked", change: "changed" },
    ]);
  });
});

describe("an edit that changes nothing", () => {
  it("of comments and white space in a task's function is none", async () => {
    open = false;
    const plain = new Function("return () => ({ n: 1 })")() as () => { n: number };
    const explained = new Function(
      "return () =>\n  // one is enough\n  ({ /* the count */ n:   1 })",
    )() as () => { n: number };
    expect(plain.toString()).not.toBe(explained.toString());
    const { outcome } = await change(
      (s) =>
        steps(
          s,
          <s.api.Task key="a" id="a" output={s.api.outputs.step}>
            {plain}
          </s.api.Task>,
        ),
      (s) => {
        open = true;
        return steps(
          s,
          <s.api.Task key="a" id="a" output={s.api.outputs.step}>
            {explained}
          </s.api.Task>,
        );
      },
    );
    expect(outcome).toMatchObject({ status: "finished" });
  });

  it("of a prompt or a static row made from outputs is none", async () => {
    open = false;
    const agent = { id: "counter", generate: async () => ({ n: 1 }) };
    const build = (text: string) => (s: TestScene) =>
      steps(
        s,
        <s.api.Task key="a" id="asked" output={s.api.outputs.step} agent={agent}>
          {text}
        </s.api.Task>,
        <s.api.Task key="b" id="static" output={s.api.outputs.other}>
          {{ text }}
        </s.api.Task>,
      );
    const { outcome } = await change(build("count to one"), (s) => {
      open = true;
      return build("count to two")(s);
    });
    expect(outcome).toMatchObject({ status: "finished" });
  });
});
