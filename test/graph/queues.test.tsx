import { expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { outputs, rig } from "../support/render-workflow.js";

const { Subflow, Task, Workflow } = components;

const compute = () => ({ text: "" });

/** The queue of each task, by its id. */
function queuesIn(flow: ReturnType<typeof rig>): Record<string, string | undefined> {
  return Object.fromEntries(flow.render().tasks.map(({ nodeId, queue }) => [nodeId, queue]));
}

it("a task without a queue has that of its workflow, and one that names a queue keeps it", () => {
  const flow = rig(() => (
    <Workflow name="w" queue="large">
      <Task id="own" output={outputs.note} queue="small">
        {compute}
      </Task>
      <Task id="theirs" output={outputs.note}>
        {compute}
      </Task>
      <Task id="asked" output={outputs.note} agent={{ generate: async () => "" }}>
        Say something.
      </Task>
    </Workflow>
  ));
  expect(queuesIn(flow)).toEqual({ own: "small", theirs: "large", asked: "large" });
});

it("a row that is only written down goes to no worker unless its task says so", () => {
  const flow = rig(() => (
    <Workflow name="w" queue="large">
      <Task id="row" output={outputs.note}>
        {{ text: "" }}
      </Task>
    </Workflow>
  ));
  expect(queuesIn(flow)).toEqual({ row: undefined });
});

it("tasks of an inline subflow have the queue of its workflow, else that of the one around it", () => {
  const child = (name: string, queue?: string) => ({
    build: () => (
      <Workflow name={name} {...(queue !== undefined && { queue })}>
        <Task id={`${name}-task`} output={outputs.note}>
          {compute}
        </Task>
      </Workflow>
    ),
  });
  const flow = rig(() => (
    <Workflow name="w" queue="large">
      <Subflow id="a" mode="inline" workflow={child("named", "small")} output={outputs.note} />
      <Subflow id="b" mode="inline" workflow={child("plain")} output={outputs.note} />
    </Workflow>
  ));
  expect(queuesIn(flow)).toMatchObject({ "named-task": "small", "plain-task": "large" });
});

it("a workflow that gets another queue moves its tasks there with the next frame", () => {
  let queue = "large";
  const flow = rig(() => (
    <Workflow name="w" queue={queue}>
      <Task id="a" output={outputs.note}>
        {compute}
      </Task>
    </Workflow>
  ));
  expect(queuesIn(flow)).toEqual({ a: "large" });
  queue = "small";
  expect(queuesIn(flow)).toEqual({ a: "small" });
});

it("what is no name of a queue is refused at the workflow", () => {
  const flow = rig(() => (
    <Workflow name="w" queue="two words">
      {null}
    </Workflow>
  ));
  expect(() => flow.render()).toThrowError(/<Workflow name="w">.*queue.*up to 40 letters/s);
});

it("the run's queue is for the work of workflows that name none", () => {
  const flow = (queue: string | undefined) =>
    rig(
      () => (
        <Workflow name="w" {...(queue !== undefined && { queue })}>
          <Task id="own" output={outputs.note} queue="small">
            {compute}
          </Task>
          <Task id="theirs" output={outputs.note}>
            {compute}
          </Task>
          <Task id="row" output={outputs.note}>
            {{ text: "" }}
          </Task>
        </Workflow>
      ),
      { queue: "spare" },
    );
  expect(queuesIn(flow(undefined))).toEqual({ own: "small", theirs: "spare", row: undefined });
  expect(queuesIn(flow("large"))).toEqual({ own: "small", theirs: "large", row: undefined });
});
