import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { sourceHash as hash } from "../../src/graph/fingerprint.js";
import { rig } from "../support/render-workflow.js";

const { Approval, Loop, Task, Timer, WaitForEvent, Workflow } = components;
const writer = { id: "writer", generate: async () => "" };
const reviewer = { id: "reviewer", generate: async () => "" };

function fingerprint(element: ReactNode): string {
  return rig(() => <Workflow name="w">{element}</Workflow>).render().tasks[0]?.fingerprint as string;
}

/** A function with this source, as a workflow file would have it. */
const compile = (source: string) => new Function(`return (${source}\n)`)() as () => { text: string };
const compute = (source: string, props: object = {}) => (
  <Task id="a" output="note" {...props}>
    {compile(source)}
  </Task>
);

describe("the fingerprint of a task stays the same when", () => {
  const original = fingerprint(compute("() => ({ text: 'x' })"));

  it.each([
    ["comments are added", "() => /* why */ ({ text: 'x' }) // done"],
    ["it is formatted anew", "()=>({text:'x'})"],
    ["lines are broken", "() => ({\n  text: 'x',\n})".replace(",\n}", "\n}")],
  ])("%s in its function", (_name, source) => {
    expect(fingerprint(compute(source))).toBe(original);
  });

  it.each([
    ["the numbers of a table", (n: number) => `__elementSources[${n}]`],
    ["lines", (n: number) => `{ fileName: _jsxFileName, lineNumber: ${n}, columnNumber: ${2 * n} }`],
    ["files", (n: number) => `{\n  fileName: "/at/${n}.tsx",\n  lineNumber: 1,\n  columnNumber: 9\n}`],
  ])("elements in its function move, told by %s", (_name, place) => {
    const text = (n: number) =>
      `() => ({ text: jsxDEV("p", { children: "x" }, void 0, false, ${place(n)}, this) })`;
    expect(fingerprint(compute(text(1)))).toBe(fingerprint(compute(text(2))));
  });

  it.each([
    ["limits", { retries: 3, timeoutMs: 5, continueOnFail: true }],
    ["a label", { label: "A", meta: { n: 1 } }],
    ["a cache", { cache: { version: "2" } }],
    ["skipIf", { skipIf: true }],
    ["scorers", { scorers: {} }],
    // Made of data more often than not, such as whose memory it is.
    ["memory", { memory: { namespace: "user:ada", remember: { key: "k" } } }],
  ])("it is given %s", (_name, props) => {
    expect(fingerprint(compute("() => ({ text: 'x' })", props))).toBe(original);
  });

  it("its row, prompt or request is made of other data", () => {
    const pairs: [ReactNode, ReactNode][] = [
      [
        <Task id="a" output="note" children={{ text: "x" }} />,
        <Task id="a" output="note" children={{ text: "y" }} />,
      ],
      [
        <Task id="a" output="note" agent={writer} children="x" />,
        <Task id="a" output="note" agent={writer} children={<p>y</p>} />,
      ],
      [
        <Approval id="a" output="verdict" request={{ title: "x" }} />,
        <Approval id="a" output="verdict" request={{ title: "y" }} />,
      ],
      [<Timer id="a" until={new Date(1)} />, <Timer id="a" until={new Date(2)} />],
    ];
    for (const [one, other] of pairs) expect(fingerprint(one)).toBe(fingerprint(other));
  });

  it("the loop around it continues", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Loop id="l">{compute("() => ({ text: 'x' })")}</Loop>
      </Workflow>
    ));
    const first = flow.render().tasks[0]?.fingerprint;
    flow.setIteration("l", 1);
    expect(flow.render().tasks[0]?.fingerprint).toBe(first);
  });
});

describe("the fingerprint of a task changes with", () => {
  it.each<[string, ReactNode, ReactNode]>([
    ["its function", compute("() => ({ text: 'x' })"), compute("() => ({ text: 'y' })")],
    ["a string in its function", compute("() => ({ text: 'a b' })"), compute("() => ({ text: 'a  b' })")],
    ["its kind", compute("() => 1"), <Task id="a" output="note" children={{ text: "" }} />],
    ["its output", compute("() => 1"), compute("() => 1", { output: "verdict" })],
    ["its upstream tasks", compute("() => 1"), compute("() => 1", { dependsOn: ["b"] })],
    ["its deps", compute("() => 1"), compute("() => 1", { deps: { b: "note" } })],
    ["its needs", compute("() => 1"), compute("() => 1", { needs: { b: "c" } })],
    ["its gate", compute("() => 1"), compute("() => 1", { needsApproval: true })],
    [
      "its agent",
      <Task id="a" output="note" agent={writer} children="x" />,
      <Task id="a" output="note" agent={reviewer} children="x" />,
    ],
    [
      "a further agent",
      <Task id="a" output="note" agent={writer} children="x" />,
      <Task id="a" output="note" agent={writer} fallbackAgent={reviewer} children="x" />,
    ],
    ["its duration", <Timer id="a" duration="1s" />, <Timer id="a" duration="2s" />],
    [
      "its event",
      <WaitForEvent id="a" event="x" output="note" />,
      <WaitForEvent id="a" event="y" output="note" />,
    ],
    [
      "who may decide",
      <Approval id="a" output="verdict" request={{ title: "x" }} />,
      <Approval id="a" output="verdict" request={{ title: "x" }} allowedUsers={["ann"]} />,
    ],
  ])("%s", (_name, one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });
});

describe("the hash of a function's source", () => {
  it("sees through comments and white space, not through strings and templates", () => {
    expect(hash(compile("() => { /* a */ return 1; }"))).toBe(hash(compile("() => {\n  return 1; // b\n}")));
    expect(hash(compile("() => '/* a */'"))).not.toBe(hash(compile("() => '/* b */'")));
    expect(hash(compile("() => `a ${1} b`"))).not.toBe(hash(compile("() => `a  ${1} b`")));
    expect(hash(compile("() => /a b/.test('x')"))).not.toBe(hash(compile("() => /a  b/.test('x')")));
  });

  it("keeps words apart", () => {
    expect(hash(compile("() => { const ab = 1; return ab; }"))).not.toBe(
      hash(compile("() => { const a = 1; return a; }")),
    );
  });

  it("takes native functions as well", () => {
    expect(hash(Math.max.bind(null))).toBe(hash(Math.min.bind(null)));
  });
});
