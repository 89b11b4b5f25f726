import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { PlanNode } from "../../src/model/plan.js";
import type { XmlElement } from "../../src/model/xml.js";
import { ids, outputs, rig, task } from "../support/render-workflow.js";

const { Approval, Parallel, Sequence, Task, Workflow } = components;
const agent = { id: "writer", generate: async () => "" };

/** A workflow whose children a test swaps between frames. */
function swappable(first: ReactNode) {
  let children = first;
  const flow = rig(() => <Workflow name="w">{children}</Workflow>);
  return {
    ...flow,
    show(next: ReactNode) {
      children = next;
      return flow.render();
    },
    render: () => flow.render(),
  };
}

describe("a frame whose structure did not change", () => {
  it("is the same object, with the newest function in it", () => {
    const flow = rig((ctx) => (
      <Workflow name="w">
        <Task id="a" output={outputs.note} dependsOn={["b"]} meta={{ tier: 1 }}>
          {() => ({ text: String(ctx.outputMaybe("note", { nodeId: "b" })?.["text"]) })}
        </Task>
      </Workflow>
    ));
    const first = flow.render();
    flow.setRow("b", { text: "new" });
    const second = flow.render();
    expect(second).toBe(first);
    expect(task(second, "a").computeFn?.({}, {} as never)).toEqual({ text: "new" });
  });

  it.each<[string, (n: number) => ReactNode, (n: number) => object]>([
    [
      "row",
      (n) => (
        <Task id="a" output="note">
          {{ text: `${n}` }}
        </Task>
      ),
      (n) => ({ staticPayload: { text: `${n}` } }),
    ],
    [
      "agent",
      (n) => (
        <Task id="a" output="note" agent={{ id: "same", generate: async () => n }}>
          x
        </Task>
      ),
      () => ({ kind: "agent" }),
    ],
    [
      "cache function",
      (n) => (
        <Task id="a" output="note" cache={{ by: () => n }}>
          {{ text: "" }}
        </Task>
      ),
      (n) => ({ cacheBy: n }),
    ],
    [
      "list of equal ids",
      () => (
        <Task id="a" output="note" dependsOn={["b"]}>
          {{ text: "" }}
        </Task>
      ),
      () => ({ dependsOn: ["b"] }),
    ],
  ])("is the same object although the task has a new %s", (_name, element, expected) => {
    const flow = swappable(element(1));
    const first = flow.render();
    expect(task(first, "a")).toMatchObject(expected(1));
    const second = flow.show(element(2));
    expect(second).toBe(first);
    expect(task(second, "a")).toMatchObject(expected(2));
  });

  it.each<[string, (n: number) => ReactNode, (n: number) => object]>([
    [
      "prompt",
      (n) => <Task id="a" output="note" agent={agent}>{`Round ${n}`}</Task>,
      (n) => ({ prompt: `Round ${n}` }),
    ],
    [
      "prompt of elements",
      (n) => (
        <Task id="a" output="note" agent={agent}>
          <p>
            Round <b>{n}</b>
          </p>
        </Task>
      ),
      (n) => ({ prompt: `Round **${n}**` }),
    ],
    [
      "prompt of more elements",
      (n) => (
        <Task id="a" output="note" agent={agent}>
          {n > 1 && <h1>T</h1>}
          <p>x</p>
        </Task>
      ),
      (n) => ({ prompt: n > 1 ? "# T\n\nx" : "x" }),
    ],
    [
      "label",
      (n) => (
        <Task id="a" output="note" label={`Round ${n}`}>
          {() => ({ text: "" })}
        </Task>
      ),
      (n) => ({ label: `Round ${n}` }),
    ],
    [
      "label where it had none",
      (n) => (
        <Task id="a" output="note" label={n === 1 ? undefined : "Round"}>
          {{ text: "" }}
        </Task>
      ),
      (n) => (n === 1 ? {} : { label: "Round" }),
    ],
    [
      "label and a new prompt",
      (n) => <Task id="a" output="note" agent={agent} label={`Round ${n}`}>{`Do ${n}`}</Task>,
      (n) => ({ label: `Round ${n}`, prompt: `Do ${n}` }),
    ],
    [
      "label that is a question",
      (n) => (
        <Task id="a" output="note" needsApproval label={`Round ${n}?`}>
          {{ text: "" }}
        </Task>
      ),
      (n) => ({ label: `Round ${n}?`, approvalRequest: { title: `Round ${n}?` } }),
    ],
    [
      "request",
      (n) => <Approval id="a" label="Round" output="verdict" request={{ title: `Round ${n}` }} />,
      (n) => ({ approvalRequest: { title: `Round ${n}` } }),
    ],
  ])(
    "has the same plan and tasks, and another text, when a task has a new %s",
    (_name, element, expected) => {
      const flow = swappable(element(1));
      const first = flow.render();
      const before = task(first, "a");
      expect(before).toMatchObject(expected(1));
      const second = flow.show(element(2));
      expect(second.xml).not.toEqual(first.xml);
      expect([second.plan, second.tasks]).toEqual([first.plan, first.tasks]);
      expect(second.plan).toBe(first.plan);
      expect(task(second, "a")).toBe(before);
      expect(before).toMatchObject(expected(2));
    },
  );

  it("is the same object although a row is there that was not", () => {
    const flow = swappable(
      <Task id="a" output="note">
        {undefined as never}
      </Task>,
    );
    const first = flow.render();
    expect(
      flow.show(
        <Task id="a" output="note">
          {{ text: "x" }}
        </Task>,
      ),
    ).toBe(first);
    expect(task(first, "a").staticPayload).toEqual({ text: "x" });
  });
});

describe("a structural change", () => {
  it.each<[string, ReactNode]>([
    [
      "prop",
      <Task key="a" id="a" output="note" retries={1}>
        {{ text: "" }}
      </Task>,
    ],
    [
      "output",
      <Task key="a" id="a" output="verdict">
        {{ approved: true }}
      </Task>,
    ],
    [
      "kind",
      <Task key="a" id="a" output="note">
        {() => ({ text: "" })}
      </Task>,
    ],
    [
      "dependency",
      <Task key="a" id="a" output="note" dependsOn={["b"]}>
        {{ text: "" }}
      </Task>,
    ],
    [
      "group",
      <Parallel key="a">
        <Task id="a" output="note">
          {{ text: "" }}
        </Task>
      </Parallel>,
    ],
  ])("of a %s gives a new version and a new descriptor", (_name, changed) => {
    const flow = swappable(
      <Task key="a" id="a" output="note">
        {{ text: "" }}
      </Task>,
    );
    const first = flow.render();
    const second = flow.show(changed);
    expect(second.structureVersion).toBe(first.structureVersion + 1);
    expect(task(second, "a")).not.toBe(task(first, "a"));
  });

  it("leaves everything beside it as it was", () => {
    const list = (extra: boolean) => (
      <>
        <Sequence>
          <Task id="a" output="note">
            {{ text: "" }}
          </Task>
          <Task id="b" output="note">
            {{ text: "" }}
          </Task>
        </Sequence>
        <Sequence>
          <Task id="c" output="note">
            {{ text: "" }}
          </Task>
          {extra && (
            <Task id="d" output="note">
              {{ text: "" }}
            </Task>
          )}
        </Sequence>
      </>
    );
    const flow = swappable(list(false));
    const first = flow.render();
    const second = flow.show(list(true));
    const part = (plan: PlanNode) => (plan.kind === "sequence" ? plan.children[0] : undefined);
    expect(part(second.plan)).toBe(part(first.plan));
    expect((second.xml as XmlElement).children[0]).toBe((first.xml as XmlElement).children[0]);
    expect(task(second, "c")).toBe(task(first, "c"));
    expect(ids(second)).toEqual(["a", "b", "c", "d"]);
  });

  it("that is taken back gives a version of its own", () => {
    const flow = swappable(
      <Task id="a" output="note">
        {{ text: "" }}
      </Task>,
    );
    const versions = [
      flow.render(),
      flow.show(null),
      flow.show(
        <Task id="a" output="note">
          {{ text: "" }}
        </Task>,
      ),
    ];
    expect(versions.map(({ structureVersion }) => structureVersion)).toEqual([1, 2, 3]);
  });

  it("numbers the tasks behind it anew", () => {
    const items = (names: string[]) =>
      names.map((id) => (
        <Task key={id} id={id} output="note">
          {{ text: "" }}
        </Task>
      ));
    const flow = swappable(items(["a", "b", "c"]));
    flow.render();
    const frame = flow.show(items(["c", "x", "a"]));
    expect(frame.tasks.map(({ nodeId, ordinal }) => [nodeId, ordinal])).toEqual([
      ["c", 0],
      ["x", 1],
      ["a", 2],
    ]);
  });
});

describe("functions of the context in props", () => {
  it("answer anew in each frame, also where nothing was rendered again", () => {
    let budget = 1;
    const tree = (
      <Workflow name="w">
        <Task id="a" output="note" cache={{ by: () => budget }}>
          {{ text: "" }}
        </Task>
        <Approval
          id="b"
          output="verdict"
          request={{ title: "?" }}
          autoApprove={{ condition: () => budget > 1 }}
        />
      </Workflow>
    );
    const flow = rig(() => tree);
    const first = flow.render();
    expect([task(first, "a").cacheBy, task(first, "b").approvalAutoApprove]).toEqual([
      1,
      { conditionMet: false },
    ]);
    budget = 2;
    const second = flow.render();
    expect([task(second, "a").cacheBy, task(second, "b").approvalAutoApprove]).toEqual([
      2,
      { conditionMet: true },
    ]);
    expect(task(second, "a")).toBe(task(first, "a"));
    expect(second.structureVersion).toBe(first.structureVersion + 1);
  });

  it("may read rows that do not exist yet", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Approval
          id="b"
          output="verdict"
          request={{ title: "?" }}
          autoApprove={{ condition: (ctx) => ctx.output("verdict", { nodeId: "v" })["approved"] === true }}
        />
      </Workflow>
    ));
    expect(task(flow.render(), "b").approvalAutoApprove).toEqual({ conditionMet: false });
    flow.setRow("v", { approved: true });
    expect(task(flow.render(), "b").approvalAutoApprove).toEqual({ conditionMet: true });
  });
});

it("a tree that was refused is read afresh in the next frame", () => {
  const good = (
    <Sequence>
      <Task id="a" output="note">
        {{ text: "" }}
      </Task>
      <Task id="b" output="note">
        {{ text: "" }}
      </Task>
    </Sequence>
  );
  const flow = swappable(good);
  const first = flow.render();
  const bad = (
    <Sequence>
      <Task id="a" output="note">
        {{ text: "" }}
      </Task>
      <Task id="a" output="note">
        {{ text: "" }}
      </Task>
      <Task id="c" output="note">
        {{ text: "" }}
      </Task>
    </Sequence>
  );
  expect(() => flow.show(bad)).toThrow(expect.objectContaining({ code: "DUPLICATE_ID" }));
  expect(() => flow.render()).toThrow(expect.objectContaining({ code: "DUPLICATE_ID" }));
  const last = flow.show(good);
  expect(ids(last)).toEqual(["a", "b"]);
  expect(last.plan).toEqual(first.plan);
});
