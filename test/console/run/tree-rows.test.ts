import { expect, it } from "vitest";
import { type TreeNode, treeRows, visibleRows } from "../../../src/console/run/tree-rows.js";
import type { XmlElement } from "../../../src/model/xml.js";

const element = (tag: string, props: Record<string, string>, ...children: XmlElement[]): XmlElement => ({
  kind: "element",
  tag,
  props,
  children,
});
const LOW = { meta: JSON.stringify({ importance: "low" }) };
const node = (nodeId: string, more: Partial<TreeNode> = {}) =>
  ({ nodeId, iteration: 0, state: "finished", failures: 0, dueAtMs: null, label: null, ...more }) as TreeNode;

function tree(nodes: readonly TreeNode[]) {
  const tasks = nodes.map(({ nodeId }) =>
    element("Task", { id: nodeId, ...(nodeId.startsWith("warm") && LOW) }),
  );
  const xml = element("Workflow", { name: "w" }, element("Parallel", { id: "all" }, ...tasks));
  return treeRows(xml, nodes, nodes);
}

const names = (rows: ReturnType<typeof treeRows>, options: Partial<Parameters<typeof visibleRows>[1]> = {}) =>
  visibleRows(rows, {
    filter: "all",
    text: "",
    collapsed: new Set(),
    hidesMinor: false,
    ...options,
  }).map(({ name }) => name);

it("hides tasks that matter little, and counts them all the same", () => {
  const rows = tree([node("main"), node("warm-1"), node("warm-2", { state: "in-progress" })]);
  expect(names(rows, { hidesMinor: true })).toEqual(["w", "all", "main"]);
  expect(names(rows)).toEqual(["w", "all", "main", "warm-1", "warm-2"]);
  expect(rows[1]).toMatchObject({ total: 3, done: 2 });
});

it("never hides one that failed, nor one that is looked for", () => {
  const rows = tree([node("main"), node("warm-1"), node("warm-2", { state: "failed" })]);
  expect(names(rows, { hidesMinor: true })).toEqual(["w", "all", "main", "warm-2"]);
  expect(names(rows, { hidesMinor: true, text: "warm-1" })).toEqual(["warm-1"]);
});

it("counts a task that is tried again among those that wait", () => {
  const rows = tree([
    node("main", { state: "pending" }),
    node("flaky", { state: "pending", failures: 1, dueAtMs: 9 }),
  ]);
  expect(names(rows, { filter: "waiting" })).toEqual(["flaky"]);
});
