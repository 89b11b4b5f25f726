import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { dot } from "../../src/graph/dot.js";
import { rig } from "../support/render-workflow.js";

const { Approval, Branch, Loop, MergeQueue, Task, Workflow } = components;

const Step = ({ id, label }: { id: string; label?: string }) => (
  <Task id={id} output="note" {...(label !== undefined && { label })}>
    {{ text: "" }}
  </Task>
);

const draw = (children: ReactNode) => dot(rig(() => <Workflow name="w">{children}</Workflow>).render());

/** The chart with labels in place of node names: `start -> a`. */
function edgesOf(text: string): string[] {
  const labels = new Map<string, string>();
  const edges: string[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    const node = /^(n\d+) \[label="(.*)", shape=/.exec(line);
    if (node !== null) labels.set(node[1] as string, node[2] as string);
    const edge = /^(n\d+) -> (n\d+)(?: \[(.*)\])?;$/.exec(line);
    if (edge === null) continue;
    const about = edge[3] === undefined ? "" : ` (${edge[3]})`;
    edges.push(`${labels.get(edge[1] as string)} -> ${labels.get(edge[2] as string)}${about}`);
  }
  return edges;
}

describe("a Graphviz chart", () => {
  it("of no frame is a valid empty graph", () => {
    expect(dot({ xml: null, tasks: [] })).toBe("digraph workflow {\n  node [shape=box];\n}\n");
  });

  it("draws sequences as chains and branches by what they chose", () => {
    const text = draw([
      <Step key="a" id="a" />,
      <Branch key="b" if={true} then={<Step id="yes" />} else={<Step id="no" />} />,
    ]);
    expect(edgesOf(text)).toEqual([
      "start -> a",
      "a -> branch",
      'branch -> yes (label="then")',
      "yes -> end",
      'branch -> end (label="else", style="dashed")',
    ]);
  });

  it("frames groups as clusters, and closes each", () => {
    const text = draw(
      <MergeQueue id="queue" maxConcurrency={2}>
        <Loop id="polish" until={false} maxIterations={3}>
          <Step id="a" />
        </Loop>
      </MergeQueue>,
    );
    expect(text).toMatch(/subgraph cluster_g\d+ \{\n +label="MergeQueue queue \(at most 2\)";/);
    expect(text).toMatch(/subgraph cluster_g\d+ \{\n +label="Loop polish \(round 1\)";/);
    expect(text.match(/\{$/gm)).toHaveLength(3);
    expect(text.match(/^ *\}$/gm)).toHaveLength(3);
    expect(edgesOf(text)).toContain('a -> loop (label="again, at most 3", style="dashed")');
  });

  it("gives questions a shape of their own", () => {
    expect(draw(<Approval id="ship" output="verdict" request={{ title: "Ship?" }} />)).toContain(
      "shape=hexagon",
    );
  });

  it("quotes labels, so that none ends the text or means an escape", () => {
    const label = 'say "hi"; a -> b }\n\\N and \\';
    const line = draw(<Step id="a" label={label} />)
      .split("\n")
      .find((each) => each.includes("say"));
    expect(line?.trim()).toBe('n1 [label="say \\"hi\\"; a -> b } \\\\N and \\\\", shape=box];');
  });
});
