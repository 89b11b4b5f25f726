import fc, { propertyRuns } from "../support/property-tests.js";
import {
  cloneElement,
  createContext,
  Fragment,
  memo,
  type ReactElement,
  type ReactNode,
  Suspense,
} from "react";
import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { outputs, rig } from "../support/render-workflow.js";

/*
 * What is stored of a loop is found by its id, also by a process that mounts the tree as it is now and
 * has not seen what stood beside the loop before. So no id may depend on that.
 */

const { Aspects, Loop, MergeQueue, Parallel, Saga, SagaStep, Sequence, Task, TryCatchFinally, Workflow } =
  components;

const AncestorContext = createContext(0);
const List = ({ children }: { children?: ReactNode }): ReactNode => children;
const MemoList = memo(List);
const ComparingList = memo(List, () => false);

const task = (id: string) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);

/** A tree of which each part is there, or not, in each of the frames. */
type Part =
  | { kind: "task" }
  | {
      kind: (typeof GROUPS)[number] | (typeof LISTS)[number];
      form: "spread" | "array" | "keyed" | "fragment" | "alone";
      /** The same object in each frame, so that React leaves it as it is. */
      isKept: boolean;
      parts: readonly { there: readonly boolean[]; key: string | null; part: Part }[];
    };

const GROUPS = ["loop", "saga", "try", "parallel", "queue", "aspects", "sequence"] as const;
const LISTS = ["component", "memo", "comparing", "provider", "fragment", "suspense"] as const;
const FRAMES = 4;

const { group } = fc.letrec<{ part: Part; group: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant("task" as const).map((kind) => ({ kind })),
    tie("group"),
  ),
  group: fc.record({
    kind: fc.constantFrom(...LISTS, ...GROUPS),
    form: fc.constantFrom("alone", "alone", "spread", "array", "keyed", "fragment"),
    isKept: fc.boolean(),
    parts: fc.array(
      fc.record({
        there: fc.array(fc.boolean(), { minLength: FRAMES, maxLength: FRAMES }),
        key: fc.option(fc.constantFrom("k", "1", "a.b", "@@", ""), { freq: 5 }),
        part: tie("part"),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
}));

/** Draws the frames of one tree for one renderer. */
function painter(tree: Part) {
  const kept = new Map<Part, ReactNode>();
  const names = new Map<Part, number>();
  let frame = 0;

  function draw(each: Part, key: string | null): ReactNode {
    if (!names.has(each)) names.set(each, names.size);
    const isKept = each.kind !== "task" && each.isKept;
    if (isKept && kept.has(each)) return kept.get(each);
    const drawn = anew(each);
    const element = key === null ? drawn : cloneElement(drawn, { key });
    if (isKept) kept.set(each, element);
    return element;
  }

  function anew(each: Part): ReactElement {
    if (each.kind === "task") {
      return task(`t${names.get(each)}`);
    }
    const inside = content(each);
    switch (each.kind) {
      case "loop":
        return <Loop>{inside}</Loop>;
      case "saga":
        return (
          <Saga>
            <SagaStep id="step" compensation={null}>
              {inside}
            </SagaStep>
          </Saga>
        );
      case "try":
        return <TryCatchFinally try={inside} />;
      case "parallel":
        return <Parallel>{inside}</Parallel>;
      case "queue":
        return <MergeQueue>{inside}</MergeQueue>;
      case "aspects":
        return <Aspects tokenBudget={{ max: 1 }}>{inside}</Aspects>;
      case "sequence":
        return <Sequence>{inside}</Sequence>;
      case "component":
        return <List>{inside}</List>;
      case "memo":
        return <MemoList>{inside}</MemoList>;
      case "comparing":
        return <ComparingList>{inside}</ComparingList>;
      case "provider":
        return <AncestorContext value={frame}>{inside}</AncestorContext>;
      case "fragment":
        return <Fragment>{inside}</Fragment>;
      case "suspense":
        return <Suspense>{inside}</Suspense>;
      default:
        throw new Error(each satisfies never);
    }
  }

  function content({ form, parts }: Exclude<Part, { kind: "task" }>): ReactNode {
    const used = new Set<string>();
    const drawn = parts.map(({ there, key, part: inner }, index) => {
      const own = form === "keyed" ? `i${index}` : key !== null && !used.has(key) ? key : null;
      if (own !== null) used.add(own);
      return there[frame] === true ? draw(inner, own) : index % 2 === 0 && null;
    });
    const present = drawn.filter((each) => each !== null && each !== false);
    if (form === "alone" && present.length === 1) return present[0];
    if (form === "spread") return <Fragment {...{ children: drawn }} />;
    if (form === "fragment") return [<Fragment key="f">{drawn}</Fragment>, false];
    return drawn;
  }

  return {
    show(next: number) {
      frame = next;
    },
    build: () => <Workflow name="w">{draw(tree, null)}</Workflow>,
  };
}

/** Everything of a frame in which ids stand; or which refusal it is. */
function outcome(flow: ReturnType<typeof rig>): unknown {
  try {
    const { xml, tasks, plan, aspects } = flow.render();
    return JSON.parse(JSON.stringify({ xml, tasks, plan, aspects }));
  } catch (error) {
    return { code: (error as { code: string }).code };
  }
}

describe("default ids", () => {
  it("are those that a fresh process gives, whatever stood beside the elements before", () => {
    fc.assert(
      fc.property(group, (tree) => {
        const live = painter(tree);
        const liveRig = rig(live.build);
        for (let frame = 0; frame < FRAMES; frame += 1) {
          live.show(frame);
          const seen = outcome(liveRig);
          const freshRig = rig(live.build);
          expect(seen).toEqual(outcome(freshRig));
          freshRig.dispose();
        }
        liveRig.dispose();
      }),
      propertyRuns(100),
    );
  });

  it("follow an element that React keeps where others have gone, also what it does not render again", () => {
    const kept = (
      <Sequence>
        <Loop>{task("a")}</Loop>
      </Sequence>
    );
    let isAlone = false;
    const build = () => (
      <Workflow name="w">
        <List>{isAlone ? kept : [null, kept, task("b")]}</List>
      </Workflow>
    );
    const live = rig(build);
    const loopOf = (flow: ReturnType<typeof rig>) => flow.render().tasks[0]?.ralphId;
    expect(loopOf(live)).toBe("loop@0~1.0");
    isAlone = true;
    expect(loopOf(live)).toBe("loop@0.0");
    expect(loopOf(rig(build))).toBe("loop@0.0");
  });

  it("are several for places that look alike", () => {
    const Inner = () => [task("x"), <Loop>{task("a")}</Loop>];
    const Outer = (): ReactNode => [
      <Inner />,
      <Loop>{task("b")}</Loop>,
      <Loop key="1">{task("c")}</Loop>,
      <Sequence key="s">
        {task("y")}
        <Loop>{task("d")}</Loop>
      </Sequence>,
    ];
    const flow = rig(() => (
      <Workflow name="w">
        <Outer />
      </Workflow>
    ));
    const loops = flow.render().tasks.flatMap(({ ralphId = [] }) => ralphId);
    expect(new Set(loops).size).toBe(4);
  });
});
