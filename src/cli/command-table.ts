import type { CommandEntry } from "./command.js";

const RUNNING = "Run workflows:";
const LOOKING = "Look at runs:";
const DECIDING = "Act on runs:";
const ENVIRONMENT = "Around runs:";

/** Every command of the command line: one line each. */
export const commandTable = {
  init: {
    summary: "create a project: a workflow, its test, and their settings",
    section: RUNNING,
    load: async () => (await import("./commands/init.js")).init,
  },
  up: {
    summary: "start a workflow, or continue a run",
    section: RUNNING,
    load: async () => (await import("./commands/up.js")).up,
  },
  graph: {
    summary: "show the tasks of a workflow without running it",
    section: RUNNING,
    load: async () => (await import("./commands/graph.js")).graph,
  },
  workflow: {
    summary: "list, start and look into the workflows of this workspace",
    section: RUNNING,
    load: async () => (await import("./commands/workflow.js")).workflow,
  },
  dev: {
    summary: "serve a folder of workflows while you write them: each save reaches the page and the runs",
    section: RUNNING,
    load: async () => (await import("./commands/dev.js")).dev,
  },
  gateway: {
    summary: "serve this workspace's workflows over HTTP and WebSocket",
    section: RUNNING,
    load: async () => (await import("./commands/gateway.js")).gateway,
  },
  console: {
    summary: "open the console of the gateway of this workspace, and start one if none runs",
    section: RUNNING,
    load: async () => (await import("./commands/open-page.js")).openConsole,
  },
  ps: { summary: "list runs", section: LOOKING, load: async () => (await import("./commands/ps.js")).ps },
  inspect: {
    summary: "show one run with its tasks and waits",
    section: LOOKING,
    load: async () => (await import("./commands/inspect.js")).inspect,
  },
  why: {
    summary: "explain why a run does not continue, and how to unblock it",
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
  scores: {
    summary: "show the scores of a run, or compare two runs",
    section: LOOKING,
    load: async () => (await import("./commands/scores.js")).scores,
  },
  events: {
    summary: "print the events of a run",
    section: LOOKING,
    load: async () => (await import("./commands/events.js")).events,
  },
  timeline: {
    summary: "list the frames of a run: what changed, and when",
    section: LOOKING,
    load: async () => (await import("./commands/timeline.js")).timeline,
  },
  frame: {
    summary: "print a run's tree as it was in a frame",
    section: LOOKING,
    load: async () => (await import("./commands/frame.js")).frame,
  },
  diff: {
    summary: "compare two frames of a run",
    section: LOOKING,
    load: async () => (await import("./commands/diff.js")).diff,
  },
  logs: {
    summary: "print the output of tasks and agents",
    section: LOOKING,
    load: async () => (await import("./commands/logs.js")).logs,
  },
  inbox: {
    summary: "list requests that wait for a person, oldest first",
    section: DECIDING,
    load: async () => (await import("./commands/inbox.js")).inbox,
  },
  approve: {
    summary: "approve a request, after showing it",
    section: DECIDING,
    load: async () => (await import("./commands/approve.js")).approve,
  },
  deny: {
    summary: "deny a request, after showing it",
    section: DECIDING,
    load: async () => (await import("./commands/deny.js")).deny,
  },
  signal: {
    summary: "send a signal to a run",
    section: DECIDING,
    load: async () => (await import("./commands/signal.js")).signal,
  },
  hijack: {
    summary: "take over the session of an agent, or give it back",
    section: DECIDING,
    load: async () => (await import("./commands/hijack.js")).hijack,
  },
  cancel: {
    summary: "cancel runs; up --resume <run> still continues one",
    section: DECIDING,
    load: async () => (await import("./commands/cancel.js")).cancel,
  },
  retry: {
    summary: "continue runs that failed, many at once",
    section: DECIDING,
    load: async () => (await import("./commands/retry.js")).retry,
  },
  "retry-task": {
    summary: "run a task again, with what depends on it",
    section: DECIDING,
    load: async () => (await import("./commands/retry-task.js")).retryTask,
  },
  "complete-task": {
    summary: "give a task its row by hand, and continue with what depends on it",
    section: DECIDING,
    load: async () => (await import("./commands/complete-task.js")).completeTask,
  },
  "skip-task": {
    summary: "leave a task out by hand",
    section: DECIDING,
    load: async () => (await import("./commands/skip-task.js")).skipTask,
  },
  fork: {
    summary: "make a new run of an old moment of a run",
    section: DECIDING,
    load: async () => (await import("./commands/fork.js")).fork,
  },
  replay: {
    summary: "make a new run of an old moment of a run, and drive it",
    section: DECIDING,
    load: async () => (await import("./commands/replay.js")).replay,
  },
  rewind: {
    summary: "take a run back to one of its frames",
    section: DECIDING,
    load: async () => (await import("./commands/rewind.js")).rewind,
  },
  supervise: {
    summary: "continue runs that no process drives",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/supervise.js")).supervise,
  },
  worker: {
    summary: "execute tasks of a queue for the processes that drive runs",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/worker.js")).worker,
  },
  workers: {
    summary: "list the workers of this database",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/workers.js")).workers,
  },
  prune: {
    summary: "delete runs that ended long ago",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/prune.js")).prune,
  },
  db: {
    summary: "databases of runs: copy one to another, compare two, bring one up to date",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/db.js")).db,
  },
  memory: {
    summary: "memory across runs: list, get, set and delete facts, threads",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/memory.js")).memory,
  },
  cron: {
    summary: "schedules of gateways: list, create, update, delete, run, history",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/cron.js")).cron,
  },
  webhooks: {
    summary: "webhooks of gateways: list what came to one, replay a delivery",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/webhooks.js")).webhooks,
  },
  trust: {
    summary: "trust a database or folder that other users can write",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/trust.js")).trust,
  },
  doctor: {
    summary: "check this machine and this workspace",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/doctor.js")).doctor,
  },
  agents: {
    summary: "agents that are command-line tools: list, doctor, capabilities",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/agents.js")).agents,
  },
  openapi: {
    summary: "preview tools made from an OpenAPI description",
    section: ENVIRONMENT,
    load: async () => (await import("./commands/openapi.js")).openapi,
  },
} satisfies Record<string, CommandEntry>;
