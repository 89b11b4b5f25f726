import { z } from "zod";
import type { GatewayMethods } from "../../../../client/gateway-methods.js";
import { runEventTypes } from "../../../../model/events.js";
import type { RunRow } from "../../../../model/run.js";
import {
  diffFrames,
  diffNode,
  explainRun,
  findRequest,
  getNode,
  getPrompt,
  inspectTask,
  inspectWorkflow,
  listFrames,
  listInbox,
  listNodesAsOf,
  listPrompts,
  listSpans,
  newestThreads,
  pageEvents,
  pageMemoryFacts,
  previewFrame,
  previousInputs,
  readConversation,
  sentFrame,
  shownEvent,
  workflowActivity,
} from "../../../../operations/index.js";
import { describeWorkflow } from "../../describe-workflow.js";
import { markOf, nameOf } from "../../registered-workflow.js";
import { given } from "../../../http/given.js";
import { heavy } from "../heavy.js";
import { method } from "../method.js";
import { frameNo, iteration, limit, nodeId, runId, workflowKey } from "./params.js";

const EVENTS_PAGE = 500;
const MEMORY_PAGE = 50;

/** Looking at workflows, runs and the workspace. */
export const viewMethods = {
  listWorkflows: method({
    scope: "run:read",
    params: z.strictObject({}),
    handle: async (_params, { workspace }) => ({
      workflows: workspace
        .workflows()
        .map(describeWorkflow)
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
      broken: workspace.broken(),
    }),
  }),
  inspectWorkflow: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({
        workflow: workflowKey,
        input: z.record(z.string(), z.unknown()).optional(),
      }),
      handle: async ({ workflow: key, input }, { workspace }) =>
        inspectWorkflow(workspace.workflow(key).workflow, given({ input })),
    }),
  ),
  listInputs: method({
    scope: "run:read",
    params: z.strictObject({ workflow: workflowKey, limit: z.number().int().min(1).max(50).optional() }),
    async handle({ workflow: key, limit: most = 10 }, { workspace }) {
      const { workflow, db } = workspace.workflow(key);
      const workflowName = nameOf(workflow);
      const isMeant = (run: RunRow) => workspace.workflowOf(markOf(run), db.store)?.key === key;
      const request = { isMeant, limit: most, ...(workflowName !== null && { workflowName }) };
      return { inputs: await previousInputs(db, request) };
    },
  }),
  workflowActivity: method({
    scope: "run:read",
    params: z.strictObject({ sinceMs: z.number().int().min(0), workflow: workflowKey.optional() }),
    async handle({ sinceMs, workflow: only }, { workspace }) {
      const chosen = only === undefined ? workspace.workflows() : [workspace.workflow(only)];
      const activities: GatewayMethods["workflowActivity"]["result"]["workflows"] = [];
      for (const { key, workflow, db } of chosen) {
        const workflowName = nameOf(workflow);
        if (workflowName === null) continue;
        activities.push({ workflow: key, ...(await workflowActivity(db, { workflowName, sinceMs })) });
      }
      return { workflows: activities };
    },
  }),
  getGraph: heavy(
    method({
      scope: "run:read",
      params: z.union([
        z.strictObject({ runId }),
        z.strictObject({ workflow: workflowKey, input: z.record(z.string(), z.unknown()).optional() }),
      ]),
      async handle(params, { workspace }) {
        if ("runId" in params) {
          const { db } = await workspace.findRun(params.runId);
          return { runId: params.runId, ...(await sentFrame(db, params.runId)) };
        }
        const { input = {}, workflow: key } = params;
        return { runId: null, ...(await previewFrame(workspace.workflow(key).workflow, { input })) };
      },
    }),
  ),
  getNode: method({
    scope: "run:read",
    params: z.strictObject({ runId, nodeId, iteration: iteration.optional() }),
    async handle(params, { workspace }) {
      const { db, registered } = await workspace.findRun(params.runId);
      return getNode(registered?.workflow ?? db, given(params));
    },
  }),
  inspectTask: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({ runId, nodeId, iteration }),
      async handle(params, { workspace }) {
        const { db, registered } = await workspace.findRun(params.runId);
        return inspectTask(registered?.workflow ?? db, params);
      },
    }),
  ),
  getPrompt: method({
    scope: "run:read",
    params: z.strictObject({
      runId,
      nodeId,
      iteration: iteration.optional(),
      attempt: z.number().int().min(1).optional(),
      question: z.number().int().min(1).optional(),
    }),
    async handle(params, { workspace }) {
      const { db } = await workspace.findRun(params.runId);
      return getPrompt(db, given(params));
    },
  }),
  listEvents: method({
    scope: "run:read",
    params: z.strictObject({
      runId,
      afterSeq: z.number().int().optional(),
      beforeSeq: z.number().int().optional(),
      types: z.array(z.enum(runEventTypes())).optional(),
      nodeId: nodeId.optional(),
      descending: z.boolean().optional(),
      limit: limit.optional(),
    }),
    async handle({ runId, ...query }, { workspace }) {
      const { db } = await workspace.findRun(runId);
      const { events, hasMore } = await pageEvents(db, runId, { limit: EVENTS_PAGE, ...given(query) });
      return { events: events.map(({ seq, event }) => ({ seq, event: shownEvent(event) })), hasMore };
    },
  }),
  listSpans: method({
    scope: "run:read",
    params: z.strictObject({ runId, afterSeq: z.number().int().optional(), limit: limit.optional() }),
    async handle(query, { workspace }) {
      const { db } = await workspace.findRun(query.runId);
      return listSpans(db, given(query));
    },
  }),
  listFrames: method({
    scope: "run:read",
    params: z.strictObject({
      runId,
      afterFrameNo: frameNo.optional(),
      beforeFrameNo: frameNo.optional(),
      limit: limit.optional(),
    }),
    async handle({ runId, ...query }, { workspace }) {
      const { db } = await workspace.findRun(runId);
      return { frames: await listFrames(db, runId, given(query)) };
    },
  }),
  getFrame: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({ runId, frameNo: frameNo.optional() }),
      async handle({ runId, frameNo }, { workspace }) {
        const { db } = await workspace.findRun(runId);
        return { runId, ...(await sentFrame(db, runId, frameNo)) };
      },
    }),
  ),
  diffNode: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({
        runId,
        nodeId,
        iteration: iteration.optional(),
        attempt: z.number().int().min(1).optional(),
        firstFile: z.number().int().min(0).optional(),
        path: z.string().min(1).optional(),
        offset: z.number().int().min(0).optional(),
      }),
      async handle(params, { workspace }) {
        const { db } = await workspace.findRun(params.runId);
        return diffNode(db, given(params));
      },
    }),
  ),
  diffFrames: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({ runId, fromFrameNo: frameNo, toFrameNo: frameNo }),
      async handle(params, { workspace }) {
        const { db } = await workspace.findRun(params.runId);
        return diffFrames(db, params);
      },
    }),
  ),
  listNodesAsOf: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({ runId, frameNo }),
      async handle(params, { workspace }) {
        const { db } = await workspace.findRun(params.runId);
        return listNodesAsOf(db, params);
      },
    }),
  ),
  explainRun: heavy(
    method({
      scope: "run:read",
      params: z.strictObject({ runId }),
      async handle(params, { workspace }) {
        const { db } = await workspace.findRun(params.runId);
        return explainRun(db, params.runId);
      },
    }),
  ),
  listInbox: method({
    scope: "run:read",
    params: z.strictObject({ workflowName: z.string().min(1).optional(), limit: limit.optional() }),
    handle: async (filter, { workspace }) => listInbox(workspace.databases(), filter),
  }),
  findRequest: method({
    scope: "run:read",
    params: z.strictObject({ runId, nodeId: nodeId.optional(), iteration: iteration.optional() }),
    async handle(address, { workspace }) {
      const { run, db } = await workspace.findRun(address.runId);
      return {
        request: await findRequest(db, given(address)),
        askedBy: run.config.auth?.triggeredBy ?? null,
      };
    },
  }),
  listMemoryFacts: method({
    scope: "run:read",
    params: z.strictObject({
      namespace: z.string().min(1).optional(),
      key: z.string().min(1).optional(),
      text: z.string().min(1).max(200).optional(),
      limit: limit.optional(),
      cursor: z.string().optional(),
    }),
    handle: async (filter, { workspace }) => pageMemoryFacts(workspace.databases(), given(filter)),
  }),
  listMemoryThreads: method({
    scope: "run:read",
    params: z.strictObject({ namespace: z.string().min(1).optional(), limit: limit.optional() }),
    handle: async ({ namespace, limit: most = MEMORY_PAGE }, { workspace }) => ({
      threads: await newestThreads(workspace.databases(), given({ namespace, limit: most })),
    }),
  }),
  getMemoryThread: method({
    scope: "run:read",
    params: z.strictObject({ threadId: z.string().min(1), limit: limit.optional() }),
    handle: async ({ threadId, limit: most = MEMORY_PAGE }, { workspace }) =>
      readConversation(workspace.databases(), { threadId, limit: most }),
  }),
  listPrompts: method({
    scope: "run:read",
    params: z.strictObject({}),
    handle: async (_params, { workspace }) => ({ prompts: listPrompts(workspace.root) }),
  }),
};
