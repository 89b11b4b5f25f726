import { beforeEach, describe, expect, it } from "vitest";
import type { HostNode } from "../../src/model/host-node.js";
import {
  append,
  appendInitial,
  clear,
  createText,
  HostTree,
  insertBefore,
  isMarkup,
  remove,
  setProps,
  setText,
  type TreeElement,
} from "../../src/renderer/tree.js";

let tree: HostTree;
let sequence: TreeElement;
let first: TreeElement;
let second: TreeElement;

/** #root > Sequence > (Task first, Task second), as of one commit ago. */
beforeEach(() => {
  tree = new HostTree();
  sequence = tree.createElement("Sequence", {}, "0");
  first = tree.createElement("Task", { id: "first" }, "");
  second = tree.createElement("Task", { id: "second" }, "");
  append(tree.element, sequence);
  append(sequence, first);
  append(sequence, second);
  tree.revision += 1;
});

const names = (nodes: readonly HostNode[]) =>
  nodes.map((node) => (node.kind === "text" ? node.text : (node.props["id"] ?? node.tag)));
const task = (id: string) => tree.createElement("Task", { id }, "");
const changes = () => names([...tree.takeContentChanges()]);
const revisions = () => [tree.element, sequence, first, second].map(({ revision }) => revision);

describe("children", () => {
  it("are appended, inserted and removed", () => {
    const [x, y] = [task("x"), task("y")];
    append(sequence, x);
    insertBefore(sequence, y, second);
    expect(names(sequence.children)).toEqual(["first", "y", "second", "x"]);
    remove(sequence, first);
    expect(names(sequence.children)).toEqual(["y", "second", "x"]);
    expect([x.parent, first.parent]).toEqual([sequence, null]);
  });

  it("move when they are appended or inserted again", () => {
    append(sequence, first);
    expect(names(sequence.children)).toEqual(["second", "first"]);
    insertBefore(sequence, first, second);
    expect(names(sequence.children)).toEqual(["first", "second"]);
  });

  it("are all released by clear", () => {
    clear(sequence);
    expect(sequence.children).toEqual([]);
    expect(first.parent).toBeNull();
    append(sequence, task("x"));
    expect(names(sequence.children)).toEqual(["x"]);
  });

  it("of one element are never those of another, although empty lists are shared", () => {
    const [x, y] = [task("x"), task("y")];
    appendInitial(x, createText("a"));
    expect([x.children.length, y.children.length]).toEqual([1, 0]);
  });
});

describe("a structural change", () => {
  it("shows in the revision of the element and of all above it", () => {
    expect(revisions()).toEqual([1, 1, 1, 1]);
    setProps(first, { id: "first" }, { id: "renamed" });
    expect(revisions()).toEqual([2, 2, 2, 1]);
  });

  it("is what adding and removing elements is", () => {
    remove(sequence, second);
    expect(revisions().slice(0, 3)).toEqual([2, 2, 1]);
  });

  it("is not what new props of the same content are", () => {
    const props = { id: "first", dependsOn: ["a"] };
    setProps(first, { id: "first", dependsOn: ["a"] }, props);
    expect(revisions()).toEqual([1, 1, 1, 1]);
    expect(first.props).toBe(props);
  });
});

describe("a content change", () => {
  it("is reported once and leaves the revisions alone", () => {
    setProps(first, { id: "first", children: () => 1 }, { id: "first", children: () => 2 });
    expect(revisions()).toEqual([1, 1, 1, 1]);
    expect(changes()).toEqual(["first"]);
    expect(changes()).toEqual([]);
  });

  it("of markup and text belongs to the workflow element around them", () => {
    const [paragraph, bold] = [tree.createElement("p", {}, ""), tree.createElement("strong", {}, "")];
    const text = createText("a");
    appendInitial(bold, text);
    appendInitial(paragraph, bold);
    append(first, paragraph);
    expect(changes()).toEqual(["first"]);
    setText(text, "b");
    expect(changes()).toEqual(["first"]);
    setProps(bold, { title: "a" }, { title: "b" });
    expect(changes()).toEqual(["first"]);
    remove(paragraph, bold);
    expect(changes()).toEqual(["first"]);
    expect(revisions()).toEqual([1, 1, 1, 1]);
  });
});

it("markup is distinguished from workflow elements by its first letter", () => {
  expect([sequence, tree.element, tree.createElement("p", {}, ""), createText("p")].map(isMarkup)).toEqual([
    false,
    false,
    true,
    false,
  ]);
});
