import {
  Component,
  createContext,
  type ReactElement,
  type ReactNode,
  Activity,
  Suspense,
  use,
  useEffect,
  useState,
} from "react";
import { describe, expect, it } from "vitest";
import { jsx } from "../../jsx-runtime/jsx-runtime.js";
import { ServiceError } from "../../src/errors/service-error.js";
import { FrameWaits } from "../../src/renderer/frame-waits.js";
import { renderError } from "../../src/renderer/render-error.js";
import { createTreeRenderer } from "../../src/renderer/render-tree.js";

function failure(node: ReactNode): ServiceError {
  try {
    createTreeRenderer().render(node);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("rendered without an error");
}

function Broken({ error }: { error: unknown }): ReactNode {
  throw error;
}

function Outer({ children }: { children: ReactNode }): ReactNode {
  return <section>{children}</section>;
}

describe("an error thrown while rendering", () => {
  it("is the same object when it is a ServiceError, with the component stack", () => {
    const error = new ServiceError("MISSING_OUTPUT", "No row.", { details: { nodeId: "a" } });
    const caught = failure(
      <Outer>
        <Broken error={error} />
      </Outer>,
    );
    expect(caught).toBe(error);
    expect(caught.details).toEqual({ nodeId: "a", componentStack: ["Broken", "section", "Outer"] });
  });

  it("becomes the cause of WORKFLOW_RENDER_FAILED when it is not", () => {
    const error = new TypeError("Cannot read x of undefined");
    const caught = failure(
      <Outer>
        <Broken error={error} />
      </Outer>,
    );
    expect(caught).toMatchObject({
      code: "WORKFLOW_RENDER_FAILED",
      summary: "Rendering failed in Broken: Cannot read x of undefined.",
      cause: error,
    });
  });

  it("tells newcomers what to set when their compiler made React's classic JSX of the file", () => {
    const { summary } = failure(<Broken error={new ReferenceError("React is not defined")} />);
    expect(summary).toContain('"jsxImportSource": "treadle"');
    // A compiler such as tsx reads one tsconfig.json for all files, and heeds it only for those that it includes.
    expect(summary).toContain("/** @jsxImportSource treadle */");
  });

  it("is reported without paths of the host", () => {
    const { details, message } = failure(<Broken error={new Error("x")} />);
    expect(JSON.stringify([details, message])).not.toMatch(/[/\\]\w+[/\\]|\.tsx?/);
  });

  it("has its component stack read in one pass, however long that is", () => {
    const { details } = renderError(new Error("x"), `${"\n".repeat(500_000)}    at Panel (flow.tsx:1:1)`);
    expect(details).toEqual({ componentStack: ["Panel"] });
  });

  it("may be anything", () => {
    expect(failure(<Broken error="just text" />).cause).toMatchObject({
      message: expect.stringContaining('"just text"'),
    });
  });

  it("leaves a renderer that can render again", () => {
    const tree = createTreeRenderer();
    expect(() => tree.render(<Broken error={new Error("x")} />)).toThrow();
    tree.render(<p />);
    expect(tree.root.element.children).toMatchObject([{ tag: "p" }]);
  });

  it("does not touch other trees", () => {
    const other = createTreeRenderer();
    other.render(<p />);
    failure(<Broken error={new Error("x")} />);
    other.render(<hr />);
    expect(other.root.element.children).toMatchObject([{ tag: "hr" }]);
  });

  it("in an effect fails the render as well", () => {
    function FailsLater(): ReactNode {
      useEffect(() => {
        throw new ServiceError("INVALID_INPUT", "Effect failed.");
      }, []);
      return <p />;
    }
    expect(failure(<FailsLater />)).toMatchObject({ code: "INVALID_INPUT", summary: "Effect failed." });
  });

  it("is the workflow's own business when an error boundary handles it", () => {
    class Boundary extends Component<{ children: ReactNode }> {
      override state = { failed: false };
      static getDerivedStateFromError() {
        return { failed: true };
      }
      override render() {
        return this.state.failed ? <hr /> : this.props.children;
      }
    }
    const tree = createTreeRenderer();
    tree.render(
      <Boundary>
        <Broken error={new Error("x")} />
      </Boundary>,
    );
    expect(tree.root.element.children).toMatchObject([{ tag: "hr" }]);
  });
});

describe("a misuse of React is explained in words:", () => {
  it("a component that suspends", () => {
    const never = new Promise<string>(() => {});
    function Waits(): ReactNode {
      return use(never);
    }
    expect(failure(<Waits />).summary).toContain("A component is asynchronous");
  });

  it("a component that is an async function", () => {
    const Later = (async () => <p />) as unknown as () => ReactElement;
    expect(failure(<Later />).summary).toContain("A component is asynchronous");
  });

  it("an object between the tags", () => {
    expect(failure(<Outer>{{ a: 1 } as unknown as ReactNode}</Outer>).summary).toContain(
      "object with keys {a}",
    );
  });

  it("a text as a component, as an imported .mdx file is one", () => {
    const Prompt = "# Analyze {props.topic}\n\nBe kind.";
    const refused = failure(jsx(Prompt, { topic: "looms" }));
    expect(refused.code).toBe("MDX_PRELOAD_INACTIVE");
    expect(refused.summary).toContain("# Analyze {props.topic}");
    expect(refused.summary).toContain("{Prompt}");
  });

  it("an undefined component", () => {
    const Missing = undefined as unknown as () => ReactElement;
    expect(failure(jsx(Missing, {})).summary).toContain("an element's type is undefined");
    // Compiled for development, as treadle compiles files, it is refused where it is written.
    expect(() => <Missing />).toThrow(/an element's type is undefined/);
  });

  it("an effect that never rests", () => {
    function Restless(): ReactNode {
      const [count, setCount] = useState(0);
      useEffect(() => setCount(count + 1), [count]);
      return <p />;
    }
    expect(failure(<Restless />).summary).toContain("again and again in effects");
  });

  it("a render that never rests", () => {
    function Restless(): ReactNode {
      const [count, setCount] = useState(0);
      setCount(count + 1);
      return <p />;
    }
    expect(failure(<Restless />).summary).toContain("again and again while rendering");
  });

  it("hooks in a condition", () => {
    function Conditional({ more }: { more: boolean }): ReactNode {
      useState(0);
      if (more) useState(1);
      return <p />;
    }
    const tree = createTreeRenderer();
    tree.render(<Conditional more={false} />);
    expect(() => tree.render(<Conditional more />)).toThrow("more hooks were called");
    tree.render(<Conditional more />);
    expect(() => tree.render(<Conditional more={false} />)).toThrow("fewer hooks were called");
  });
});

describe("Suspense", () => {
  it("is no frame while it shows its fallback, and asks for one when the wait is over", async () => {
    const value = Promise.resolve("p");
    function Waits(): ReactNode {
      return use(value) === "p" ? <p /> : null;
    }
    let invalidated = () => {};
    const settled = new Promise<void>((resolve) => {
      invalidated = resolve;
    });
    const tree = createTreeRenderer({ onInvalidate: () => invalidated() });
    const node = (
      <Suspense fallback={<hr />}>
        <Waits />
      </Suspense>
    );
    expect(() => tree.render(node)).toThrow(FrameWaits);
    await settled;
    tree.render(node);
    expect(tree.root.element.children).toMatchObject([{ tag: "p" }]);
  });

  it("waits for what comes later beside what is mounted already, which stays", async () => {
    let found = (_value: string) => {};
    const value = new Promise<string>((resolve) => {
      found = resolve;
    });
    const Waiting = createContext(false);
    function MayWait(): ReactNode {
      return use(Waiting) ? use(value) : null;
    }
    const node = (waiting: boolean) => (
      <Waiting value={waiting}>
        <Suspense fallback={<hr />}>
          <p />
          <MayWait />
        </Suspense>
      </Waiting>
    );
    let invalidated = () => {};
    const settled = new Promise<void>((resolve) => {
      invalidated = resolve;
    });
    const tree = createTreeRenderer({ onInvalidate: () => invalidated() });
    tree.render(node(false));
    const [mounted] = tree.root.element.children;
    expect(() => tree.render(node(true))).toThrow(FrameWaits);
    found("later");
    await settled;
    tree.render(node(true));
    expect(tree.root.element.children).toEqual([mounted, expect.objectContaining({ text: "later" })]);
  });
});

describe("a hidden Activity", () => {
  const node = (mode: "visible" | "hidden") => (
    <Activity mode={mode}>
      <p />
    </Activity>
  );

  it("is refused at once, in each render", async () => {
    const tree = createTreeRenderer();
    expect(() => tree.render(node("hidden"))).toThrow("a frame hides nothing");
    await new Promise(setImmediate);
    expect(() => tree.render(node("hidden"))).toThrow("a frame hides nothing");
    tree.render(node("visible"));
    expect(tree.root.element.children).toMatchObject([{ tag: "p" }]);
  });

  it("is refused when it hides what was visible", () => {
    const tree = createTreeRenderer();
    tree.render(node("visible"));
    expect(() => tree.render(node("hidden"))).toThrow("a frame hides nothing");
  });
});

it("a tree cannot be rendered by a component of another tree", () => {
  function Nested(): ReactNode {
    createTreeRenderer().render(<p />);
    return <p />;
  }
  expect(failure(<Nested />).summary).toContain("by a component that is itself being rendered");
});
