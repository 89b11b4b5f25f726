import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import {
  applyDelta,
  type EncodedSnapshot,
  encodeDelta,
  encodeKeyframe,
} from "../../src/graph/frame-delta.js";
import { applyListDelta } from "../../src/graph/list-delta.js";
import type { FrameSnapshot } from "../../src/graph/frame-snapshot.js";
import type { FrameTask } from "../../src/model/graph.js";
import type { XmlElement, XmlNode } from "../../src/model/xml.js";

const name = fc.constantFrom("a", "b", "c", "d", "id");
const value = fc.string({ maxLength: 4 });

const { xmlElement } = fc.letrec<{ xmlNode: XmlNode; xmlElement: XmlElement }>((tie) => ({
  xmlNode: fc.oneof(
    { depthSize: "small" },
    fc.record({ kind: fc.constant("text" as const), text: value }),
    tie("xmlElement"),
  ),
  xmlElement: fc.record({
    kind: fc.constant("element" as const),
    tag: fc.constantFrom("Task", "Sequence", "Loop"),
    props: fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true }),
    children: fc.array(tie("xmlNode"), { maxLength: 5 }),
  }),
}));

const ids = fc.constantFrom("t1", "t2", "t3", "t4", "t5");

const frameTask = fc.record(
  {
    nodeId: ids,
    iteration: fc.nat(3),
    kind: fc.constantFrom("static", "agent"),
    fingerprint: fc.constantFrom("f1", "f2"),
    dependsOn: fc.array(ids, { minLength: 1, maxLength: 2 }),
    caps: fc.array(
      fc.record({ groupId: fc.constantFrom("p1", "p2"), limit: fc.integer({ min: 1, max: 3 }) }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  },
  { requiredKeys: ["nodeId", "iteration", "kind", "fingerprint"] },
) as fc.Arbitrary<FrameTask>;

const snapshot: fc.Arbitrary<FrameSnapshot> = fc.record({
  xml: fc.option(xmlElement, { nil: null }),
  tasks: fc.array(frameTask, { maxLength: 6 }),
});

/** A small edit somewhere in the tree, as one frame makes it: everything else stays the same object. */
function edited(
  node: XmlElement,
  path: readonly number[],
  edit: (node: XmlElement) => XmlElement,
): XmlElement {
  const [index, ...rest] = path;
  const elements = node.children.filter((child) => child.kind === "element");
  if (index === undefined || elements.length === 0) return edit(node);
  const target = elements[index % elements.length] as XmlElement;
  return {
    ...node,
    children: node.children.map((child) => (child === target ? edited(target, rest, edit) : child)),
  };
}

function roundTrip(...snapshots: [FrameSnapshot, ...FrameSnapshot[]]): FrameSnapshot {
  const chain: EncodedSnapshot[] = [{ encoding: "keyframe", json: encodeKeyframe(snapshots[0]) }];
  snapshots.slice(1).forEach((next, index) => {
    const json = encodeDelta(snapshots[index] as FrameSnapshot, next);
    if (json !== null) chain.push({ encoding: "delta", json });
  });
  return applyDelta(chain);
}

describe("a chain of deltas", () => {
  it("leads to the last snapshot, whatever the snapshots are", () => {
    fc.assert(
      fc.property(fc.array(snapshot, { minLength: 1, maxLength: 5 }), (snapshots) => {
        expect(roundTrip(...(snapshots as [FrameSnapshot]))).toEqual(snapshots.at(-1));
      }),
    );
  });

  it("follows small edits of a shared tree", () => {
    fc.assert(
      fc.property(xmlElement, fc.array(fc.nat(4), { maxLength: 4 }), xmlElement, (xml, path, added) => {
        const next = edited(xml, path, (node) => ({ ...node, children: [added, ...node.children.slice(1)] }));
        expect(roundTrip({ xml, tasks: [] }, { xml: next, tasks: [] }).xml).toEqual(next);
      }),
    );
  });
});

const tasks = (count: number): XmlElement[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: "element",
    tag: "Task",
    props: { id: `task-${index}` },
    children: [],
  }));

const tree = (children: XmlNode[]): FrameSnapshot => ({
  xml: { kind: "element", tag: "Workflow", props: { name: "w" }, children },
  tasks: [],
});

describe("a delta", () => {
  it("of equal snapshots does not exist", () => {
    expect(encodeDelta(tree(tasks(3)), tree(tasks(3)))).toBeNull();
  });

  it("names only what changed", () => {
    const before = tasks(1000);
    const after = before.with(500, { ...(before[500] as XmlElement), props: { id: "task-500", label: "x" } });
    expect(JSON.parse(encodeDelta(tree(before), tree(after)) as string)).toEqual({
      xml: { children: [500, { "~": { props: { label: "x" } } }] },
    });
  });

  it("of a count in the labels of many tasks is one change", () => {
    const labelled = (done: number) =>
      tasks(1000).map((task, index) => ({
        ...task,
        props: { ...task.props, label: `${index}, ${done} done` },
      }));
    const [before, after] = [tree(labelled(41)), tree(labelled(42))];
    expect(encodeDelta(before, after)).toBe(
      '{"xml":{"children":[{"~":{"props":{"label":[5,1,"2"]}},"of":1000}]}}',
    );
    expect(roundTrip(before, after)).toEqual(after);
  });

  it("of an appended task is the task", () => {
    const before = tasks(100);
    const added = tasks(101).slice(100);
    expect(JSON.parse(encodeDelta(tree(before), tree([...before, ...added])) as string)).toEqual({
      xml: { children: [100, { "+": added }] },
    });
  });

  it("of a removed task counts it", () => {
    const before = tasks(100);
    expect(JSON.parse(encodeDelta(tree(before), tree(before.toSpliced(7, 1))) as string)).toEqual({
      xml: { children: [7, -1] },
    });
  });

  it("of the next iteration names the iterations", () => {
    const at = (iteration: number): FrameSnapshot => ({
      xml: null,
      tasks: [{ nodeId: "t", iteration, kind: "agent", fingerprint: "f" }],
    });
    expect(JSON.parse(encodeDelta(at(1), at(2)) as string)).toEqual({ tasks: [{ "~": { iteration: 2 } }] });
  });

  it("does not look into subtrees that are the same object", () => {
    const shared = tasks(1)[0] as XmlElement;
    const guarded = new Proxy(shared, {
      get(target, property) {
        if (property === "children") throw new Error("looked inside");
        return Reflect.get(target, property);
      },
    });
    const extra = tasks(2)[1] as XmlElement;
    expect(encodeDelta(tree([guarded, extra]), tree([guarded]))).toBe('{"xml":{"children":[1,-1]}}');
  });
});

describe("a stored chain", () => {
  it("without a keyframe is refused", () => {
    expect(() => applyDelta([])).toThrow(expect.objectContaining({ code: "STORAGE_ERROR" }));
    expect(() => applyDelta([{ encoding: "delta", json: "{}" }])).toThrow(
      expect.objectContaining({ code: "STORAGE_ERROR" }),
    );
  });

  it("with broken JSON is refused", () => {
    expect(() => applyDelta([{ encoding: "keyframe", json: "{" }])).toThrow(
      expect.objectContaining({ code: "STORAGE_ERROR" }),
    );
  });

  it.each([
    ["more items", '[{ "~": { "props": { "label": "x" } }, "of": 1000000000 }]'],
    ["more characters", '[{ "~": { "props": { "id": [5, 90, "x"] } } }]'],
    ["the characters of a prop that is not there", '[{ "~": { "props": { "label": [0, 0, "x"] } } }]'],
  ])("that changes %s than there are is refused", (_name, children) => {
    const keyframe = { encoding: "keyframe" as const, json: encodeKeyframe(tree(tasks(3))) };
    const delta = { encoding: "delta" as const, json: `{"xml":{"children":${children}}}` };
    expect(() => applyDelta([keyframe, delta])).toThrow(expect.objectContaining({ code: "STORAGE_ERROR" }));
  });

  it("may hold a later keyframe", () => {
    const chain = [tree(tasks(1)), tree(tasks(2))].map((each) => ({
      encoding: "keyframe" as const,
      json: encodeKeyframe(each),
    }));
    expect(applyDelta(chain)).toEqual(tree(tasks(2)));
  });
});

it("a change may add more items than a call takes arguments", () => {
  const added = Array.from({ length: 200_000 }, (_, index) => index);
  expect(applyListDelta<number, never>([], [{ "+": added }], (item) => item)).toHaveLength(added.length);
});
