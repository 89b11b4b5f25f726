import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { TryCatchFinallyProps } from "../../src/components/control/TryCatchFinally.js";
import { type SerializedError, serializeError } from "../../src/errors/ensure-error.js";
import { ServiceError } from "../../src/errors/service-error.js";
import { outputs, type Rig, rig, shape } from "../support/render-workflow.js";

const { Loop, Task, TryCatchFinally, Workflow } = components;

const Step = ({ id }: { id: string }) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const run = (children: ReactNode): Rig => rig(() => <Workflow name="w">{children}</Workflow>);
const timeout = serializeError(new ServiceError("TASK_TIMEOUT", "Too slow."));

describe("a TryCatchFinally", () => {
  it.each<[string, object]>([
    ["has children", { try: <Step id="a" />, children: <Step id="b" /> }],
    ["has no try", { catch: <Step id="a" /> }],
  ])("that %s is refused, and its props are named", (problem, props) => {
    const block = <TryCatchFinally {...(props as TryCatchFinallyProps)} />;
    expect(() => run(block).render()).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        summary: expect.stringMatching(
          new RegExp(
            `^<TryCatchFinally> \\(\\S+:24\\) ${problem}; its parts are the props try, catch and finally`,
          ),
        ),
      }),
    );
  });

  it("has its parts in its plan from the start", () => {
    const { plan } = run(
      <TryCatchFinally
        id="t"
        try={<Step id="a" />}
        catch={<Step id="b" />}
        finally={
          <>
            <Step id="c" />
            <Step id="d" />
          </>
        }
        catchErrors={["TASK_TIMEOUT"]}
      />,
    ).render();
    expect(plan).toMatchObject({ kind: "try", id: "t", hasCatch: true, catchErrors: ["TASK_TIMEOUT"] });
    expect(shape(plan)).toEqual(["try", "t", "a", "b", ["sequence", "c", "d"]]);
  });

  it("needs neither catch nor finally", () => {
    const { plan } = run(<TryCatchFinally try={<Step id="a" />} />).render();
    expect(plan).toMatchObject({ id: "try@0", hasCatch: false });
    expect(plan).not.toHaveProperty("catch");
    expect(plan).not.toHaveProperty("finally");
    expect(plan).not.toHaveProperty("catchErrors");
  });

  it("may have an empty catch, which only swallows the error", () => {
    const { plan } = run(<TryCatchFinally id="t" try={<Step id="a" />} catch={<></>} />).render();
    expect(plan).toMatchObject({ hasCatch: true, catch: { kind: "sequence", children: [] } });
  });

  it("skips every part with skipIf", () => {
    const { tasks } = run(
      <TryCatchFinally try={<Step id="a" />} catch={<Step id="b" />} finally={<Step id="c" />} skipIf />,
    ).render();
    expect(tasks.map(({ skipIf }) => skipIf)).toEqual([true, true, true]);
  });
});

describe("a function catch", () => {
  const calls: unknown[] = [];
  const block = (catchErrors?: string[]) => {
    calls.length = 0;
    return run(
      <TryCatchFinally
        id="t"
        try={<Step id="a" />}
        catch={(error) => {
          calls.push(error);
          return <Step id={`handle-${(error as ServiceError).code ?? error.name}`} />;
        }}
        {...(catchErrors !== undefined && { catchErrors })}
      />,
    );
  };

  it("is announced in the plan, but not called while nothing failed", () => {
    const flow = block();
    expect(flow.render().plan).toMatchObject({ hasCatch: true });
    flow.setState("t", { phase: "body" });
    expect(shape(flow.render().plan)).toEqual(["try", "t", "a", undefined, undefined]);
    expect(calls).toEqual([]);
  });

  it("is called with the error once the block recovers", () => {
    const flow = block();
    flow.render();
    flow.setState("t", { phase: "recover", error: timeout, handled: true });
    expect(shape(flow.render().plan)).toEqual(["try", "t", "a", "handle-TASK_TIMEOUT", undefined]);
    expect(calls[0]).toBeInstanceOf(ServiceError);
    expect(calls[0]).toMatchObject({ code: "TASK_TIMEOUT", summary: "Too slow." });
  });

  it.each(["finally", "done"] as const)("stays mounted in phase %s", (phase) => {
    const flow = block();
    flow.setState("t", { phase, error: timeout, handled: true });
    expect(shape(flow.render().plan)).toEqual(["try", "t", "a", "handle-TASK_TIMEOUT", undefined]);
  });

  it("stays mounted with its first error when it fails itself", () => {
    const flow = block(["TASK_TIMEOUT"]);
    const failed: SerializedError = { name: "Error", message: "handler broke", cause: timeout };
    flow.setState("t", { phase: "finally", error: failed, handled: false });
    expect(shape(flow.render().plan)).toEqual(["try", "t", "a", "handle-TASK_TIMEOUT", undefined]);
  });

  it("is not called for errors that it does not catch", () => {
    const flow = block(["INVALID_OUTPUT"]);
    flow.setState("t", { phase: "finally", error: timeout, handled: false });
    flow.render();
    flow.setState("t", { phase: "finally", error: { name: "Error", message: "no code" }, handled: false });
    flow.render();
    expect(calls).toEqual([]);
  });

  it("is not called when the block ended without an error", () => {
    const flow = block();
    flow.setState("t", { phase: "done" });
    flow.render();
    expect(calls).toEqual([]);
  });

  it("finds its state without an id, in the first frame, inside a loop", () => {
    const flow = run(
      <Loop id="l">
        <TryCatchFinally try={<Step id="a" />} catch={({ message }) => <Step id={message} />} />
      </Loop>,
    );
    flow.setIteration("l", 2);
    flow.setState("try@0.0@@l=2", {
      phase: "recover",
      error: { name: "Error", message: "oops" },
      handled: true,
    });
    expect(shape(flow.render().plan)).toEqual(["loop", "l", ["try", "try@0.0@@l=2", "a", "oops", undefined]]);
  });
});
