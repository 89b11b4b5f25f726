import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { SagaStepSpec } from "../../src/components/control/Saga.js";
import type { SagaStepProps } from "../../src/components/control/SagaStep.js";
import { outputs, rig, shape } from "../support/render-workflow.js";

const { Saga, SagaStep, Sequence, Task, Workflow } = components;

const Step = ({ id }: { id: string }) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const planOf = (children: ReactNode) => rig(() => <Workflow name="w">{children}</Workflow>).render().plan;

describe("a Saga", () => {
  it("refuses a step that says nothing about what undoes it, by its id", () => {
    const props = { id: "flight", children: <Step id="book" /> } as SagaStepProps;
    const refused = expect.objectContaining({
      code: "INVALID_INPUT",
      summary: expect.stringMatching(/^<SagaStep id="flight"> \(\S+\) has no compensation/),
    });
    expect(() =>
      planOf(
        <Saga>
          <SagaStep {...props} />
        </Saga>,
      ),
    ).toThrow(refused);
    const steps = [{ id: "flight", action: <Step id="book" /> }] as SagaStepSpec[];
    expect(() => planOf(<Saga steps={steps} />)).toThrow(refused);
  });

  it("has every action and every compensation in its plan from the start", () => {
    const plan = planOf(
      <Saga id="booking" onFailure="compensate-and-fail">
        <SagaStep id="flight" label="Flight" compensation={<Step id="cancel-flight" />}>
          <Step id="book-flight" />
        </SagaStep>
        <SagaStep
          id="hotel"
          compensation={
            <>
              <Step id="refund" />
              <Step id="apologise" />
            </>
          }
        >
          <Sequence>
            <Step id="find-hotel" />
            <Step id="book-hotel" />
          </Sequence>
        </SagaStep>
      </Saga>,
    );
    expect(plan).toMatchObject({ kind: "saga", id: "booking", onFailure: "compensate-and-fail" });
    expect(shape(plan)).toEqual([
      "saga",
      "booking",
      ["flight", "book-flight", "cancel-flight"],
      ["hotel", ["sequence", "find-hotel", "book-hotel"], ["sequence", "refund", "apologise"]],
    ]);
  });

  it("takes its steps as data as well, and compensates by default", () => {
    const plan = planOf(
      <Saga
        steps={[
          { id: "one", action: <Step id="do" />, compensation: <Step id="undo" /> },
          { id: "two", action: <Step id="do-more" />, compensation: null },
        ]}
      />,
    );
    expect(plan).toMatchObject({ kind: "saga", id: "saga@0", onFailure: "compensate" });
    expect(shape(plan)).toEqual(["saga", "saga@0", ["one", "do", "undo"], ["two", "do-more", ["sequence"]]]);
  });

  it("refuses two steps of one id, in one saga", () => {
    const one = { id: "one", action: <Step id="do" />, compensation: null };
    expect(() => planOf(<Saga steps={[one, { ...one, action: <Step id="do-more" /> }]} />)).toThrow(
      expect.objectContaining({
        code: "DUPLICATE_ID",
        message: expect.stringContaining('<SagaStep id="one">'),
      }),
    );
    expect(() =>
      planOf(
        <Sequence>
          <Saga steps={[one]} />
          <Saga steps={[{ ...one, action: <Step id="do-more" /> }]} />
        </Sequence>,
      ),
    ).not.toThrow();
  });

  it("takes steps of components and fragments", () => {
    const Booking = ({ name }: { name: string }) => (
      <SagaStep id={name} compensation={<Step id={`undo-${name}`} />}>
        <Step id={`do-${name}`} />
      </SagaStep>
    );
    const plan = planOf(
      <Saga id="s">
        {["a", "b"].map((name) => (
          <Booking key={name} name={name} />
        ))}
      </Saga>,
    );
    expect(shape(plan)).toEqual(["saga", "s", ["a", "do-a", "undo-a"], ["b", "do-b", "undo-b"]]);
  });

  it("lists its tasks in document order", () => {
    const { tasks } = rig(() => (
      <Workflow name="w">
        <Saga id="s" skipIf>
          <SagaStep id="one" compensation={<Step id="undo" />}>
            <Step id="do" />
          </SagaStep>
        </Saga>
      </Workflow>
    )).render();
    expect(tasks.map(({ nodeId, skipIf }) => [nodeId, skipIf])).toEqual([
      ["do", true],
      ["undo", true],
    ]);
  });

  it("has steps in one form only", () => {
    const both = (
      <Saga steps={[]}>
        <SagaStep id="one" compensation={null}>
          <Step id="a" />
        </SagaStep>
      </Saga>
    );
    expect(() => planOf(both)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
