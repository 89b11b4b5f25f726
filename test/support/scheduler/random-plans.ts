import fc from "../property-tests.js";
import type { LoopPlan, PlanNode, SagaPlan } from "../../../src/model/plan.js";
import type { EventWait, TaskDescriptor } from "../../../src/model/task.js";
import type { OnDeny } from "../../../src/model/approval.js";
import { parallel, type Place, type PlanOf, sequence } from "./place.js";
import { fail, hang, type Outcome, type Script } from "./script.js";

/** A workflow as data. Ids come from the position in it. */
export type Spec =
  | { kind: "task"; ms: number; ends: Ending; after: number[] }
  | { kind: "approval"; approved: boolean; onDeny: OnDeny; isAsync: boolean }
  | { kind: "event"; comes: boolean; onTimeout: EventWait["onTimeout"] }
  | { kind: "timer"; ms: number }
  | { kind: "sequence"; children: Spec[] }
  | { kind: "parallel"; cap: number | null; children: Spec[] }
  | { kind: "loop"; rounds: number; max: number; onMax: LoopPlan["onMaxReached"]; body: Spec }
  | { kind: "saga"; policy: SagaPlan["onFailure"]; steps: { action: Spec; undo: Spec }[] }
  /** Mounted until, or since, an earlier task has finished. */
  | { kind: "branch"; watched: number; is: "until" | "since"; child: Spec }
  | { kind: "try"; body: Spec; rescue: Spec | null; cleanUp: Spec | null };

/** How a task ends: "stuck" and "quota" after a first attempt that hangs or finds no quota. */
type Ending = "well" | "late" | "stuck" | "quota" | "gated" | "tolerated" | "skipped" | "fatal";

interface Choices {
  /** What stops other tasks may happen beside them while they run: who is first decides. */
  races: boolean;
}

/** Arbitrary nested workflows. */
export function specs(choices: Choices): fc.Arbitrary<Spec> {
  return fc.integer({ min: 1, max: 4 }).chain((depth) => specOf(depth, true, choices));
}

const brief: fc.Arbitrary<Spec> = fc.record({
  kind: fc.constant("task" as const),
  ms: fc.integer({ min: 1, max: 2 }),
  ends: fc.constant("well" as const),
  after: fc.constant([]),
});

/** Short tasks side by side that come and go with one another's rows, many of them in one turn. */
export const crowds: fc.Arbitrary<Spec> = fc.record({
  kind: fc.constant("parallel" as const),
  cap: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  children: fc.array(
    fc.oneof(
      brief,
      fc.record({
        kind: fc.constant("branch" as const),
        watched: fc.nat(4),
        is: fc.constantFrom("until" as const, "since" as const),
        child: brief,
      }),
    ),
    { minLength: 3, maxLength: 7 },
  ),
});

function specOf(depth: number, canFail: boolean, choices: Choices): fc.Arbitrary<Spec> {
  const leaf = leafOf(canFail, choices);
  if (depth <= 0) return leaf;
  const inside = specOf(depth - 1, canFail, choices);
  const beside = specOf(depth - 1, canFail && choices.races, choices);
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("sequence" as const),
        children: fc.array(inside, { maxLength: 4 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("parallel" as const),
        cap: fc.option(fc.integer({ min: 1, max: 3 })),
        children: fc.array(beside, { maxLength: 5 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("loop" as const),
        rounds: fc.integer({ min: 1, max: 3 }),
        max: fc.integer({ min: 1, max: 3 }),
        onMax: canFail
          ? fc.constantFrom("fail" as const, "return-last" as const)
          : fc.constant("return-last" as const),
        body: inside,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("saga" as const),
        policy: canFail
          ? fc.constantFrom("compensate" as const, "compensate-and-fail" as const, "fail" as const)
          : fc.constant("compensate" as const),
        steps: fc.array(fc.record({ action: inside, undo: inside }), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: choices.races ? 3 : 0,
      arbitrary: fc.record({
        kind: fc.constant("branch" as const),
        watched: fc.nat(20),
        is: fc.constantFrom("until" as const, "since" as const),
        child: inside,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("try" as const),
        body: inside,
        rescue: fc.option(inside),
        cleanUp: fc.option(inside),
      }),
    },
  );
}

function leafOf(canFail: boolean, { races }: Choices): fc.Arbitrary<Spec> {
  const ends = ["well", "well", "late", "stuck", "quota", "gated", "tolerated", "skipped"] as const;
  const task = fc.record({
    kind: fc.constant("task" as const),
    // Often equal, so that tasks end in one turn.
    ms: fc.constantFrom(1, 1, 1, 2, 5),
    ends: canFail ? fc.constantFrom(...ends, "fatal" as const) : fc.constantFrom(...ends),
    after: fc.array(fc.nat(20), { maxLength: 2 }),
  });
  const approval = fc.record({
    kind: fc.constant("approval" as const),
    approved: fc.boolean(),
    onDeny: canFail
      ? fc.constantFrom("fail" as const, "continue" as const, "skip" as const)
      : fc.constantFrom("continue" as const, "skip" as const),
    isAsync: races ? fc.boolean() : fc.constant(false),
  });
  const event = fc.record({
    kind: fc.constant("event" as const),
    comes: fc.boolean(),
    onTimeout: canFail
      ? fc.constantFrom("fail" as const, "skip" as const, "continue" as const)
      : fc.constantFrom("skip" as const, "continue" as const),
  });
  const timer = fc.record({ kind: fc.constant("timer" as const), ms: fc.integer({ min: 0, max: 30 }) });
  return fc.oneof(
    { weight: 6, arbitrary: task },
    { weight: 1, arbitrary: approval },
    { weight: 1, arbitrary: event },
    { weight: 1, arbitrary: timer },
  );
}

/** A workflow to run: its plan, how its tasks go, and what people and other systems answer. */
export interface Scenario {
  plan: PlanOf;
  script: Script;
  /** By node id without loop suffix. */
  decisions: ReadonlyMap<string, boolean>;
  /** Names of the events that come. */
  signals: readonly string[];
}

export function scenarioOf(spec: Spec): Scenario {
  const script: Record<string, Outcome | readonly Outcome[]> = {};
  const decisions = new Map<string, boolean>();
  const signals: string[] = [];
  collect(spec, "r", { script, decisions, signals });
  return {
    plan: (at) => build(spec, "r", { at, earlier: [], loops: [] }),
    script: new Proxy(script, {
      // Nodes in nested loops carry a suffix; the script does not care.
      get: (target, key) => target[String(key).split("@@")[0]?.split("::")[0] ?? ""],
    }),
    decisions,
    signals,
  };
}

const FATAL = "AGENT_CONFIG_INVALID";

function collect(
  spec: Spec,
  id: string,
  into: {
    script: Record<string, Outcome | readonly Outcome[]>;
    decisions: Map<string, boolean>;
    signals: string[];
  },
): void {
  switch (spec.kind) {
    case "task": {
      const well: Outcome = { kind: "finish", after: spec.ms };
      const wellIn: Partial<Record<Ending, Outcome>> = {
        late: { ...fail("not yet"), after: spec.ms },
        stuck: hang,
        quota: { kind: "quota", resetAtMs: 30, after: spec.ms },
      };
      const first = wellIn[spec.ends];
      if (spec.ends === "gated") into.decisions.set(id, true);
      if (first !== undefined) into.script[id] = [first, well];
      else if (spec.ends === "tolerated" || spec.ends === "fatal")
        into.script[id] = { ...fail(`${id} broke`, FATAL), after: spec.ms };
      else into.script[id] = well;
      return;
    }
    case "approval":
      into.decisions.set(id, spec.approved);
      return;
    case "event":
      if (spec.comes) into.signals.push(id);
      return;
    case "timer":
      return;
    default:
      for (const [part, child] of partsOf(spec)) collect(child, `${id}.${part}`, into);
  }
}

function partsOf(spec: Exclude<Spec, { kind: "task" | "approval" | "event" | "timer" }>): [string, Spec][] {
  switch (spec.kind) {
    case "sequence":
    case "parallel":
      return spec.children.map((child, index) => [String(index), child]);
    case "branch":
      return [["m", spec.child]];
    case "loop":
      return [["b", spec.body]];
    case "saga":
      return spec.steps.flatMap(({ action, undo }, index): [string, Spec][] => [
        [`a${index}`, action],
        [`u${index}`, undo],
      ]);
    case "try":
      return [
        ["t", spec.body],
        ...(spec.rescue === null ? [] : [["c", spec.rescue] as [string, Spec]]),
        ...(spec.cleanUp === null ? [] : [["f", spec.cleanUp] as [string, Spec]]),
      ];
    default:
      return spec satisfies never;
  }
}

/** Where the builder stands. `earlier` are tasks before this one in the document that it may depend on. */
interface Site {
  at: Place;
  earlier: { address: string; loops: readonly string[] }[];
  loops: readonly string[];
}

function build(spec: Spec, id: string, site: Site): PlanNode {
  const { at } = site;
  const inside = (part: string, child: Spec) => build(child, `${id}.${part}`, site);
  // Nobody outside depends on a part that may never be entered.
  const apart = (part: string, child: Spec) =>
    build(child, `${id}.${part}`, { ...site, earlier: [...site.earlier] });
  switch (spec.kind) {
    case "task":
      return declare(id, site, {
        ...(spec.ends === "tolerated" && { continueOnFail: true }),
        ...(spec.ends === "skipped" && { skipIf: true }),
        ...(spec.ends === "stuck" && { timeoutMs: 15 }),
        ...(spec.ends === "gated" && { needsApproval: true }),
        ...dependencies(spec.after, site),
      });
    case "approval": {
      const props = { approvalOnDeny: spec.onDeny, ...(spec.isAsync && { waitAsync: true }) };
      return remember(id, site, at.approval(id, props));
    }
    case "event":
      return remember(id, site, at.event(id, { timeoutMs: 20, onTimeout: spec.onTimeout }));
    case "timer":
      return remember(id, site, at.timer(id, { durationMs: spec.ms }));
    case "sequence":
      return sequence(...spec.children.map((child, index) => inside(String(index), child)));
    case "parallel": {
      const children = spec.children.map((child, index) => inside(String(index), child));
      return { ...parallel(...children), id, ...(spec.cap !== null && { cap: spec.cap }) } as PlanNode;
    }
    case "branch": {
      const outside = site.earlier.filter((task) => task.loops.length === 0);
      const watched = outside[spec.watched % Math.max(1, outside.length)];
      const isOver = watched !== undefined && at.has(watched.address, 0);
      const child = apart("m", spec.child);
      return isOver === (spec.is === "since") ? child : sequence();
    }
    case "loop":
      return at.loop(
        id,
        {
          until: (here) => here.iteration + 1 >= spec.rounds,
          maxIterations: spec.max,
          onMaxReached: spec.onMax,
        },
        (here) => build(spec.body, `${id}.b`, { ...site, at: here, loops: [...site.loops, id] }),
      );
    case "saga":
      return at.saga(
        id,
        spec.policy,
        Object.fromEntries(
          spec.steps.map(({ action, undo }, index) => [
            `s${index}`,
            [inside(`a${index}`, action), apart(`u${index}`, undo)],
          ]),
        ),
      );
    case "try":
      return at.tryBlock(id, {
        try: inside("t", spec.body),
        ...(spec.rescue !== null && { catch: apart("c", spec.rescue) }),
        ...(spec.cleanUp !== null && { finally: apart("f", spec.cleanUp) }),
      });
    default:
      return spec satisfies never;
  }
}

function declare(id: string, site: Site, props: Partial<TaskDescriptor>): PlanNode {
  return remember(id, site, site.at.task(id, props));
}

function remember(id: string, site: Site, plan: PlanNode): PlanNode {
  site.earlier.push({ address: site.at.address(id), loops: site.loops });
  return plan;
}

/** Earlier tasks of the surrounding loops, or of a loop of their own. */
function dependencies(choices: readonly number[], { earlier, loops }: Site): Partial<TaskDescriptor> {
  const visible = earlier.filter(
    (task) => task.loops.length < 2 || task.loops.every((loop, depth) => loop === loops[depth]),
  );
  const ids = choices.flatMap((choice) => visible[choice % Math.max(1, visible.length)]?.address ?? []);
  return ids.length === 0 ? {} : { dependsOn: ids };
}
