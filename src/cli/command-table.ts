import type { CommandEntry } from "./command.js";

const RUNNING = "Run workflows:";
const LOOKING = "Look at runs:";

/** Every command of the command line: one line each. */
export const commandTable = {
  up: {
    summary: "start a workflow, or continue a run",
    section: RUNNING,
    load: async () => (await import("./commands/up.js")).up,
  },
  graph: {
    summary: "show what a workflow would run, without running it",
    section: RUNNING,
    load: async () => (await import("./commands/graph.js")).graph,
  },
  ps: { summary: "list runs", section: LOOKING, load: async () => (await import("./commands/ps.js")).ps },
  inspect: {
    summary: "show one run with its tasks and waits",
    section: LOOKING,
    load: async () => (await import("./commands/inspect.js")).inspect,
  },
  why: {
    summary: "say what keeps a run from going on, and how to unblock it",
    section: LOOKING,
    load: async () => (await import("./commands/why.js")).why,
  },
  output: {
    summary: "print the row that a task wrote",
    section: LOOKING,
    load: async () => (await import("./commands/output.js")).output,
  },
  node: {
    summary: "show one task with its attempts",
    section: LOOKING,
    load: async () => (await import("./commands/node.js")).node,
  },
  events: {
    summary: "print what happened in a run",
    section: LOOKING,
    load: async () => (await import("./commands/events.js")).events,
  },
  logs: {
    summary: "print what tasks and agents wrote",
    section: LOOKING,
    load: async () => (await import("./commands/logs.js")).logs,
  },
} satisfies Record<string, CommandEntry>;
