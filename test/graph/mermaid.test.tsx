import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { XmlNode } from "../../src/model/xml.js";
import { mermaid } from "../../src/graph/mermaid.js";
import { rig } from "../support/render-workflow.js";

const {
  Approval,
  Branch,
  ContinueAsNew,
  HumanTask,
  Loop,
  MergeQueue,
  Parallel,
  Saga,
  SagaStep,
  Sequence,
  Signal,
  Subflow,
  Task,
  Timer,
  TryCatchFinally,
  Workflow,
  Worktree,
} = components;

const Step = ({ id, label, skipIf }: { id: string; label?: string; skipIf?: boolean }) => (
  <Task id={id} output="note" {...(label && { label })} {...(skipIf && { skipIf })}>
    {{ text: "" }}
  </Task>
);

/**
 * The chart with labels in place of node names, so that a test reads as the
 * picture: `["start -> a", "a -.undo.-> b"]`, and the shape of each label.
 */
function draw(children: ReactNode) {
  const text = mermaid(rig(() => <Workflow name="w">{children}</Workflow>).render());
  const labels = new Map<string, string>();
  const shapes: Record<string, string> = {};
  const edges: string[] = [];
  const groups: string[] = [];
  const [head, ...lines] = text.trimEnd().split("\n");
  expect(head).toBe("flowchart TD");
  for (const line of lines.map((each) => each.trim())) {
    const node = /^(n\d+)([^"]+)"(.*)"([^"]+)$/.exec(line);
    const edge = /^(n\d+) (-->|-\.->)(?:\|"(.*)"\|)? (n\d+)$/.exec(line);
    const group = /^subgraph g\d+\["(.*)"\]$/.exec(line);
    if (edge !== null) {
      const [, from, arrow, label, to] = edge as unknown as [
        string,
        string,
        string,
        string | undefined,
        string,
      ];
      const drawn = arrow === "-->" ? `-${label ?? ""}->` : `-.${label ?? ""}.->`;
      edges.push(`${labels.get(from)} ${drawn} ${labels.get(to)}`);
    } else if (node !== null) {
      labels.set(node[1] as string, node[3] as string);
      shapes[node[3] as string] = `${node[2]}${node[4]}`;
    } else if (group !== null) groups.push(group[1] as string);
    else expect(line).toBe("end");
  }
  return { edges, shapes, groups };
}

describe("a Mermaid chart", () => {
  it("of no frame is a valid empty chart", () => {
    expect(mermaid({ xml: null, tasks: [] })).toBe("flowchart TD\n");
  });

  it("draws sequences as chains", () => {
    const { edges } = draw([<Step key="a" id="a" />, <Step key="b" id="b" label="Be" />]);
    expect(edges).toEqual(["start --> a", "a --> Be", "Be --> end"]);
  });

  it("draws parallels as forks that join", () => {
    const { edges, groups } = draw([
      <Parallel key="p">
        <Step id="a" />
        <Step id="b" />
      </Parallel>,
      <Step key="c" id="c" />,
    ]);
    expect(edges).toEqual(["start --> a", "start --> b", "a --> c", "b --> c", "c --> end"]);
    expect(groups).toEqual([]);
  });

  it("frames groups that have a cap or a place of their own", () => {
    const { groups } = draw(
      <>
        <Parallel id="p" maxConcurrency={3} children={<Step id="a" />} />
        <MergeQueue children={<Step id="b" />} />
        <Worktree path="trees/x" children={<Step id="c" />} />
      </>,
    );
    expect(groups).toEqual(["Parallel p (at most 3)", "MergeQueue (at most 1)", "Worktree trees/x"]);
  });

  it("draws the chosen side of a branch, and dashed that there is another one", () => {
    const { edges, shapes } = draw(<Branch if={false} then={<Step id="a" />} else={<Step id="b" />} />);
    expect(edges).toEqual(["start --> branch", "branch -else-> b", "b --> end", "branch -.then.-> end"]);
    expect(shapes["branch"]).toBe("{}");
  });

  it("counts the rounds of a loop at its edge back", () => {
    const task: XmlNode = { kind: "element", tag: "Task", props: { id: "a" }, children: [] };
    const props = { id: "l", iteration: "2", maxIterations: "7" };
    const text = mermaid({ xml: { kind: "element", tag: "Loop", props, children: [task] }, tasks: [] });
    expect(text).toContain('"round 3 of 7"');
  });

  it("draws a loop with an edge back", () => {
    const { edges, groups } = draw(<Loop id="l" maxIterations={7} children={<Step id="a" />} />);
    expect(edges).toEqual(["start --> loop", "loop --> a", "a -.again, at most 7.-> loop", "a --> end"]);
    expect(groups).toEqual(["Loop l (round 1)"]);
  });

  it("hangs compensations off their actions", () => {
    const { edges } = draw(
      <Saga id="s">
        <SagaStep id="one" compensation={<Step id="undo-a" />} children={<Step id="a" />} />
        <SagaStep id="two" compensation={<Step id="undo-b" />} children={<Step id="b" />} />
      </Saga>,
    );
    expect(edges).toEqual([
      "start --> a",
      "a -.undo.-> undo-a",
      "a --> b",
      "b -.undo.-> undo-b",
      "b --> end",
    ]);
  });

  it("leads from try to catch on an error, and from both to finally", () => {
    const { edges } = draw(
      <TryCatchFinally id="t" try={<Step id="a" />} catch={<Step id="b" />} finally={<Step id="c" />} />,
    );
    expect(edges).toEqual(["start --> a", "a -.on error.-> b", "a --> c", "b --> c", "c --> end"]);
  });

  it("ends where the run continues as a new one", () => {
    const { edges, shapes } = draw([<Step key="a" id="a" />, <ContinueAsNew key="c" />]);
    expect(edges).toEqual(["start --> a", "a --> continue as new run"]);
    expect(shapes["continue as new run"]).toBe(">]");
  });

  it("gives each kind of task a shape", () => {
    const { shapes } = draw(
      <>
        <Step id="task" />
        <Approval id="approval" output="verdict" request={{ title: "?" }} />
        <HumanTask id="human" output="note" prompt="?" />
        <Timer id="timer" duration={1} />
        <Signal id="signal" schema="note" />
        <Subflow id="subflow" output="note" workflow={{ build: () => null }} />
      </>,
    );
    expect(shapes).toMatchObject({
      task: "[]",
      approval: "{{}}",
      human: "{{}}",
      timer: "()",
      signal: "([])",
      subflow: "[[]]",
    });
  });

  it("leads to a task from those whose rows it waits for, unless the tree does so already", () => {
    const { edges } = draw([
      <Parallel key="p">
        <Step id="plan" />
        <Task id="build" output="note" dependsOn={["plan"]}>
          {{ text: "" }}
        </Task>
        <Task id="test" output="note" needs={{ plan: "plan" }} deps={{ plan: "note", build: "note" }}>
          {() => ({ text: "" })}
        </Task>
      </Parallel>,
      <Task key="s" id="ship" output="note" deps={{ test: "note", plan: "note" }}>
        {() => ({ text: "" })}
      </Task>,
      <Task key="t" id="tell" output="note" dependsOn={["ship"]}>
        {{ text: "" }}
      </Task>,
    ]);
    expect(edges.filter((edge) => edge.includes("needs"))).toEqual([
      "plan -.needs.-> build",
      "plan -.needs.-> test",
      "build -.needs.-> test",
    ]);
    expect(edges.filter((edge) => edge.endsWith("tell"))).toEqual(["ship --> tell"]);
  });

  it("joins tasks of one round inside nested loops", () => {
    const { edges } = draw(
      <Loop id="outer" until={false}>
        <Sequence>
          <Loop id="inner" until={false}>
            <Parallel>
              <Step id="plan" />
              <Task id="build" output="note" dependsOn={["plan"]}>
                {{ text: "" }}
              </Task>
            </Parallel>
          </Loop>
        </Sequence>
      </Loop>,
    );
    expect(edges).toContain("plan -.needs.-> build");
  });

  it("lets many edges meet before many others", () => {
    const steps = (name: string) => Array.from({ length: 20 }, (_, n) => <Step id={`${name}${n}`} />);
    const { edges } = draw(
      <Sequence>
        <Parallel>{steps("a")}</Parallel>
        <Parallel>{steps("b")}</Parallel>
      </Sequence>,
    );
    expect(edges).toContain("a7 --> all");
    expect(edges).toContain("all --> b9");
    expect(edges).toHaveLength(80);
  });

  it("marks skipped tasks", () => {
    expect(draw(<Step id="a" skipIf />).edges).toEqual(["start -.skipped.-> a", "a --> end"]);
  });

  it("escapes labels", () => {
    const { shapes } = draw(<Step id="a" label={'<b> "x" #1\n end'} />);
    expect(Object.keys(shapes)).toContain("#lt;b#gt; #quot;x#quot; #35;1 end");
  });
});
