import { expect, it } from "vitest";
import { foldFrame } from "../../../src/console/graph/fold-tree.js";
import { flowchart, type FlowItem } from "../../../src/graph/flowchart.js";
import type { FrameTask } from "../../../src/model/graph.js";
import type { XmlElement } from "../../../src/model/xml.js";

const element = (tag: string, props: Record<string, string>, ...children: XmlElement[]): XmlElement => ({
  kind: "element",
  tag,
  props,
  children,
});
const task = (id: string) => element("Task", { id });
const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => task(`${prefix}-${n}`));
const stored = (nodeId: string, ...dependsOn: string[]): FrameTask => ({
  nodeId,
  iteration: 0,
  kind: "compute",
  fingerprint: "",
  ...(dependsOn.length > 0 && { dependsOn }),
});

function idsIn(node: XmlElement): string[] {
  return node.tag === "Task"
    ? [node.props["id"] ?? ""]
    : node.children.flatMap((child) => (child.kind === "element" ? idsIn(child) : []));
}

function frameOf(xml: XmlElement, needs: Record<string, string[]> = {}) {
  return { xml, tasks: idsIn(xml).map((id) => stored(id, ...(needs[id] ?? []))) };
}

const nodesIn = (items: readonly FlowItem[]): string[] =>
  items.flatMap((item) => (item.kind === "group" ? nodesIn(item.items) : (item.nodeId ?? [])));

const LIMITS = { unasked: 8, most: 14, widest: 5 };

it("leaves a small tree as it is", () => {
  const frame = frameOf(element("Workflow", {}, element("Sequence", {}, task("a"), task("b"))));
  const { frame: drawn, folds } = foldFrame(frame, new Set());
  expect(drawn.xml).toEqual(frame.xml);
  expect(folds.size).toBe(0);
});

it("draws the outer groups, and the inner ones that fit, in the order of the levels", () => {
  const xml = element(
    "Workflow",
    {},
    element("Parallel", { id: "one" }, ...numbered("a", 4)),
    element("Parallel", { id: "two" }, ...numbered("b", 5)),
    task("last"),
  );
  const { frame, folds } = foldFrame(frameOf(xml), new Set(), LIMITS);
  expect(nodesIn(flowchart(frame).items)).toEqual(["a-0", "a-1", "a-2", "a-3", "folded 0/1", "last"]);
  expect(folds.get("folded 0/1")).toMatchObject({ title: "Parallel two" });
  expect(folds.get("folded 0/1")?.nodeIds).toHaveLength(5);
});

it("opens what the reader asks for, up to the limit of all boxes", () => {
  const groups = ["one", "two", "six"].map((id) => element("Parallel", { id }, ...numbered(id, 5)));
  const frame = frameOf(element("Workflow", {}, ...groups));
  const keys = ["0/0", "0/1", "0/2"];
  const { opened, folds } = foldFrame(frame, new Set(keys), LIMITS);
  expect(opened.map(({ key }) => key)).toEqual(["0/0", "0/1"]);
  expect([...folds.keys()]).toEqual(["folded 0/2"]);
});

it("draws thousands side by side in parts that can be opened, each task in one of them", () => {
  const frame = frameOf(element("Workflow", {}, element("Parallel", {}, ...numbered("t", 5_000))));
  const { frame: drawn, folds } = foldFrame(frame, new Set());
  expect(nodesIn(flowchart(drawn).items).length).toBeLessThanOrEqual(30);
  const held = [...folds.values()].flatMap(({ nodeIds }) => nodeIds);
  expect(held).toEqual(frame.tasks.map(({ nodeId }) => nodeId));
  const [first] = folds.values();
  expect(first?.title).toMatch(/^t-0 … t-/);
  const inner = foldFrame(frame, new Set([first?.key ?? ""]));
  expect(inner.folds.size).toBeGreaterThan(folds.size);
});

it("gives a folded group the dependencies of its tasks, and none on itself", () => {
  const xml = element(
    "Workflow",
    {},
    element("Sequence", { id: "many" }, ...numbered("a", 5)),
    element("Sequence", { id: "more" }, ...numbered("b", 5)),
    task("last"),
  );
  const frame = frameOf(xml, { "a-1": ["a-0"], "b-0": ["a-4"], last: ["b-2", "b-3"] });
  const { frame: drawn } = foldFrame(frame, new Set(), { ...LIMITS, unasked: 3 });
  expect(drawn.tasks).toEqual([
    { nodeId: "folded 0/0", dependsOn: [] },
    { nodeId: "folded 0/1", dependsOn: ["folded 0/0"] },
    { nodeId: "last", dependsOn: ["folded 0/1"] },
  ]);
});

it("keeps the parts of an element that has to find them", () => {
  const xml = element(
    "Workflow",
    {},
    element(
      "TryCatchFinally",
      { id: "t" },
      element("TryPart", {}, ...numbered("a", 4)),
      element("CatchPart", {}, ...numbered("c", 4)),
    ),
  );
  const { frame } = foldFrame(frameOf(xml), new Set(), { ...LIMITS, unasked: 2 });
  expect(nodesIn(flowchart(frame).items)).toHaveLength(8);
});
