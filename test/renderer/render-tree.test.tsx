import { memo, type ReactNode, useEffect, useState } from "react";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import type { HostNode } from "../../src/model/host-node.js";
import { hostComponent } from "../../src/components/host-component.js";
import { deferred } from "../../src/util/deferred.js";
import { sharedReconciler } from "../../src/renderer/reconciler.js";
import { createTreeRenderer, type TreeRenderer } from "../../src/renderer/render-tree.js";

const Task = hostComponent<(props: { id?: string; children?: unknown }) => React.ReactElement>("Task");
const Group = hostComponent<(props: { id?: string; children?: ReactNode }) => React.ReactElement>("Sequence");

/** `Sequence(a b(…))` */
function outline(nodes: readonly HostNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === "text") return JSON.stringify(node.text);
      const name = String(node.props["id"] ?? node.tag);
      return node.children.length === 0 ? name : `${name}(${outline(node.children)})`;
    })
    .join(" ");
}

const seen = (tree: TreeRenderer) => outline(tree.root.element.children);

describe("rendering", () => {
  it("is done when render returns", () => {
    const tree = createTreeRenderer();
    tree.render(
      <Group id="g">
        <Task id="a" />
        {false}
        <>
          <Task id="b" />
        </>
      </Group>,
    );
    expect(seen(tree)).toBe("g(a b)");
  });

  it("mounts, moves and unmounts keyed children", () => {
    const tree = createTreeRenderer();
    const show = (ids: string) =>
      tree.render(
        <Group id="g">
          {[...ids].map((id) => (
            <Task key={id} id={id} />
          ))}
        </Group>,
      );
    show("abcd");
    const [a] = (tree.root.element.children[0] as { children: HostNode[] }).children;
    for (const ids of ["dcba", "da", "xdya", "a", "", "abcd"]) {
      show(ids);
      expect(seen(tree)).toBe(ids === "" ? "g" : `g(${[...ids].join(" ")})`);
    }
    show("abcd");
    expect((tree.root.element.children[0] as { children: HostNode[] }).children[0]).not.toBe(a);
  });

  it("keeps the elements of children that only move", () => {
    const tree = createTreeRenderer();
    const show = (ids: string[]) => tree.render(ids.map((id) => <Task key={id} id={id} />));
    show(["a", "b"]);
    const before = new Set(tree.root.element.children);
    show(["b", "a"]);
    expect(seen(tree)).toBe("b a");
    expect(new Set(tree.root.element.children)).toEqual(before);
  });

  it("hands functions, rows and text over as they are", () => {
    const tree = createTreeRenderer();
    const compute = () => ({ n: 1 });
    const row = { n: 1 };
    tree.render(
      <Group>
        <Task id="f">{compute}</Task>
        <Task id="r">{row}</Task>
        <Task id="t">Hello {"you"}</Task>
      </Group>,
    );
    const children = (
      tree.root.element.children[0] as unknown as { children: { props: { children: unknown } }[] }
    ).children;
    expect(children.map(({ props }) => props.children)).toEqual([compute, row, ["Hello ", "you"]]);
    expect(seen(tree)).toBe("Sequence(f r t)");
  });

  it("switches between a value and elements between the tags", () => {
    const tree = createTreeRenderer();
    const show = (children: unknown) => tree.render(<Task id="t">{children}</Task>);
    show("text");
    show(<p>markup</p>);
    expect(seen(tree)).toBe("t(p)");
    show(() => 1);
    expect(seen(tree)).toBe("t");
  });

  it("of an unchanged element does nothing", () => {
    const tree = createTreeRenderer();
    const element = <Task id="a" />;
    tree.render(element);
    const { revision } = tree.root.element;
    tree.render(element);
    expect(tree.root.element.revision).toBe(revision);
  });

  it("of two trees does not mix them up", () => {
    const [one, two] = [createTreeRenderer(), createTreeRenderer()];
    one.render(<Task id="a" />);
    two.render(<Task id="b" />);
    one.render(<Task id="c" />);
    expect([seen(one), seen(two)]).toEqual(["c", "b"]);
  });
});

describe("effects", () => {
  it("run before render returns, and so do the updates they cause", () => {
    function Steps(): ReactNode {
      const [count, setCount] = useState(0);
      useEffect(() => {
        if (count < 3) setCount(count + 1);
      }, [count]);
      return <Task id={`step-${count}`} />;
    }
    let invalidations = 0;
    const tree = createTreeRenderer({ onInvalidate: () => (invalidations += 1) });
    tree.render(<Steps />);
    expect(seen(tree)).toBe("step-3");
    expect(invalidations).toBe(0);
  });

  it("are cleaned up when the tree is disposed", () => {
    const log: string[] = [];
    function Watched(): ReactNode {
      useEffect(() => {
        log.push("start");
        return () => void log.push("stop");
      }, []);
      return <Task id="a" />;
    }
    const tree = createTreeRenderer();
    tree.render(<Watched />);
    tree.dispose();
    expect(log).toEqual(["start", "stop"]);
    expect(seen(tree)).toBe("");
  });
});

describe("a state update outside of a render", () => {
  it("asks for a new frame, and shows in it", async () => {
    let update: (value: string) => void = () => {};
    function Stateful(): ReactNode {
      const [id, setId] = useState("before");
      update = setId;
      return <Task id={id} />;
    }
    const invalidated = deferred<void>();
    const tree = createTreeRenderer({ onInvalidate: invalidated.resolve });
    tree.render(<Stateful />);
    update("after");
    await invalidated.promise;
    tree.render(<Stateful />);
    expect(seen(tree)).toBe("after");
  });

  it("that fails asks for a frame, which then fails", async () => {
    let update: (value: boolean) => void = () => {};
    function Fragile(): ReactNode {
      const [broken, setBroken] = useState(false);
      update = setBroken;
      if (broken) throw new ServiceError("INVALID_INPUT", "Broken by itself.");
      return <Task id="a" />;
    }
    const invalidated = deferred<void>();
    const tree = createTreeRenderer({ onInvalidate: invalidated.resolve });
    tree.render(<Fragile />);
    update(true);
    await invalidated.promise;
    expect(() => tree.render(<Fragile />)).toThrow("Broken by itself.");
  });
});

describe("memo", () => {
  it("keeps a subtree from rendering again", () => {
    let renders = 0;
    const Quiet = memo(function Quiet({ id }: { id: string }) {
      renders += 1;
      return <Task id={id} />;
    });
    const tree = createTreeRenderer();
    for (const id of ["a", "a", "b"]) tree.render(<Quiet id={id} />);
    expect(renders).toBe(2);
  });
});

it("a portal is refused", () => {
  const elsewhere = {} as Parameters<ReturnType<typeof sharedReconciler>["createPortal"]>[1];
  const tree = createTreeRenderer();
  expect(() => tree.render(sharedReconciler().createPortal(<Task id="a" />, elsewhere, null))).toThrow(
    "A portal was rendered",
  );
});
