import type { ApprovalPlan, Plan, TaskPlan } from "./plan.js";

/** What a random workflow may be made of. Numbers are weights: 0 = never. */
export interface Shape {
  readonly leaves: Readonly<
    Record<"task" | "approval" | "event" | "timer" | "human" | "composite" | "continue", number>
  >;
  readonly blocks: Readonly<
    Record<
      Exclude<Plan["kind"], "task" | "approval" | "event" | "timer" | "human" | "composite" | "continue">,
      number
    >
  >;
  /** Most leaves, but for conditions, probes of loops and compensations. */
  readonly mostLeaves: number;
  /** Fewest plans in a list. */
  readonly fewest: 0 | 1;
  readonly works: readonly TaskPlan["work"][];
  readonly modes: Readonly<Record<ApprovalPlan["mode"], number>>;
  /** How often an approval is an ApprovalGate. */
  readonly gates: number;
  /** How often a task finds no quota at first. */
  readonly quota: number;
  /** Loops may continue as new runs. */
  readonly continues: boolean;
  /** Tasks depend on what is inside blocks before them, and on waits; compensations may be any plan. */
  readonly isEntangled: boolean;
}

/** Everything that an author can write and the engine can be driven through. */
export const WHOLE: Shape = {
  leaves: { task: 60, approval: 13, event: 11, timer: 7, human: 5, composite: 8, continue: 2 },
  blocks: {
    sequence: 4,
    parallel: 5,
    branch: 3,
    follows: 4,
    loop: 4,
    saga: 3,
    try: 4,
    subflow: 3,
    aspects: 1,
  },
  mostLeaves: 9,
  fewest: 1,
  works: ["static", "compute", "compute", "async", "agent"],
  modes: { approve: 4, select: 1, rank: 1 },
  gates: 0.2,
  quota: 0,
  continues: true,
  isEntangled: false,
};

/** What the scheduler knows of: no rows that are read, no other runs, nothing that is made of something else. */
export const BARE: Shape = {
  leaves: { task: 60, approval: 12, event: 12, timer: 10, human: 0, composite: 0, continue: 0 },
  blocks: {
    sequence: 4,
    parallel: 5,
    branch: 2,
    follows: 4,
    loop: 4,
    saga: 4,
    try: 4,
    subflow: 0,
    aspects: 0,
  },
  mostLeaves: 22,
  fewest: 0,
  works: ["compute"],
  modes: { approve: 1, select: 0, rank: 0 },
  gates: 0,
  quota: 0.08,
  continues: false,
  isEntangled: true,
};
