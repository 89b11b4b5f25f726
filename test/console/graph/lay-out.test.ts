import { expect, it } from "vitest";
import { layOut, neighbour } from "../../../src/console/graph/lay-out.js";
import type { FlowEdge, FlowItem } from "../../../src/graph/flowchart.js";

const box = (name: string): FlowItem => ({ kind: "node", name, label: name, shape: "box", nodeId: name });
const edge = (from: string, to: string, label?: string): FlowEdge => ({ from, to, label, dashed: false });

const CHART = {
  items: [
    box("a"),
    { kind: "group", name: "g", title: "Parallel", items: [box("b"), box("c")] } as const,
    box("d"),
    { kind: "group", name: "none", title: "Empty", items: [] } as const,
  ],
  edges: [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("d", "b", "again")],
} as Parameters<typeof layOut>[0];

it("puts what follows to the right, what is parallel below one another, and a frame around a group", () => {
  const { nodes, groups, edges, width, height } = layOut(CHART);
  const at = (name: string) => {
    const node = [...nodes, ...groups].find((each) => each.name === name);
    if (node === undefined) throw new Error(`no ${name}`);
    return node;
  };
  expect(at("a").x).toBeLessThan(at("b").x);
  expect(at("b").x).toBeLessThan(at("d").x);
  expect(at("b").x).toBe(at("c").x);
  expect(Math.abs(at("b").y - at("c").y)).toBeGreaterThanOrEqual(at("b").height);
  expect(at("b").y).toBeLessThan(at("c").y);
  expect(groups).toHaveLength(1);
  expect(at("g").width).toBeGreaterThan(at("b").width);
  expect(edges.map(({ labelAt }) => labelAt !== null)).toEqual([false, false, false, false, true]);
  for (const { x, y } of [...nodes, ...edges.flatMap(({ points }) => points)]) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(width);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(height);
  }
});

it("finds the next box in a direction, and none beyond the last", () => {
  const { nodes } = layOut(CHART);
  const named = (name: string) => nodes.find((node) => node.name === name) ?? { x: 0, y: 0 };
  const [upper, lower] = named("b").y < named("c").y ? ["b", "c"] : ["c", "b"];
  expect(neighbour(nodes, named(upper), "down")?.name).toBe(lower);
  expect(neighbour(nodes, named(lower), "up")?.name).toBe(upper);
  expect(neighbour(nodes, named(lower), "right")?.name).toBe("d");
  expect(neighbour(nodes, named("d"), "right")).toBeUndefined();
});
