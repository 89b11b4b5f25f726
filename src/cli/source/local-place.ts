import { ServiceError } from "../../errors/service-error.js";
import {
  findRun,
  followEvents,
  getNode,
  listEvents,
  listMemoryFacts,
  requireRun,
  resumeRemedy,
  type Workspace,
} from "../../operations/index.js";
import { userName } from "../runs/user-name.js";
import type { Terminal } from "../terminal.js";
import { knownRun } from "./known-run.js";
import { isDriven, localActions } from "./local-actions.js";
import type { Place } from "./place.js";

/** The runs, schedules and facts of a database. An operation is loaded by the command that needs it. */
export function localPlace(workspace: Workspace, terminal: Pick<Terminal, "cwd" | "environment">): Place {
  const { db, store } = workspace;
  const schedules = async () => (await import("./local-schedules.js")).localSchedules(workspace, terminal);
  return {
    ...localActions(workspace, terminal),
    cronList: async (filter) => (await schedules()).cronList(filter),
    cronCreate: async (schedule) => (await schedules()).cronCreate(schedule),
    cronUpdate: async (changes) => (await schedules()).cronUpdate(changes),
    cronDelete: async (request) => (await schedules()).cronDelete(request),
    cronRun: async (request) => (await schedules()).cronRun(request),
    find: async (reference) => knownRun(await findRun(store, reference), store.clock.now()),
    async findRun({ run }) {
      const { toRunView } = await import("../../operations/get-run.js");
      return toRunView(store, await findRun(store, run), store.clock.now());
    },
    async listRuns({ needsMe = false, ...filter }) {
      const { listRuns } = await import("../../operations/get-run.js");
      const decidableBy = { decidedBy: userName(terminal.environment), scopes: [] };
      return listRuns(db, { ...filter, ...(needsMe && { decidableBy }) });
    },
    async inspectRun({ runId }) {
      const { inspectRun } = await import("../../operations/read/inspect-run.js");
      return inspectRun(db, runId);
    },
    async explainRun({ runId }) {
      const { explainRun } = await import("../../operations/explain-run.js");
      return explainRun(db, runId);
    },
    getNode: (address) => getNode(db, address),
    async getPrompt(request) {
      const { getPrompt } = await import("../../operations/read/get-prompt.js");
      return getPrompt(db, request);
    },
    async listFrames({ runId, ...query }) {
      const { listFrames } = await import("../../operations/read/read-run.js");
      return { frames: await listFrames(db, runId, query) };
    },
    async getFrame({ runId, frameNo }) {
      const { getFrame } = await import("../../operations/read/read-run.js");
      return { runId, ...(await getFrame(db, runId, frameNo)) };
    },
    async diffFrames(request) {
      const { diffFrames } = await import("../../operations/read/diff-frames.js");
      return diffFrames(db, request);
    },
    async diffNode(request) {
      const { diffNode } = await import("../../operations/diff-node.js");
      return diffNode(db, request);
    },
    events: ({ runId, ...page }) => listEvents(db, runId, page),
    follow: (stream) => followEvents(db, stream),
    async listScores(filter) {
      const { listScores } = await import("../../operations/list-scores.js");
      return listScores(db, filter);
    },
    async listInbox(filter) {
      const { listInbox } = await import("../../operations/read/list-inbox.js");
      return listInbox([db], filter);
    },
    async webhookDeliveries({ workflow, limit = 50 }) {
      const { listDeliveries } = await import("../../operations/webhooks/list-deliveries.js");
      return listDeliveries(db, { webhookKey: workflow, limit });
    },
    async webhookReplay({ workflow }) {
      throw new ServiceError(
        "CLI_USAGE",
        "webhooks replay asks a gateway, which knows how the webhook reads what it is sent: name one with --gateway.",
        { details: { workflow } },
      );
    },
    listMemoryFacts: (filter) => listMemoryFacts(db, filter),
    isDriven: (runId) => isDriven(store, runId),
    resumeRemedy: async (runId) => resumeRemedy(store, await requireRun(store, runId)),
    isTakenUp: async (runId) => (await store.pendingIntents(runId)).length === 0,
    close: async () => store.close(),
  };
}
