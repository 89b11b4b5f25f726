import type { GatewayClient, GatewayMethods } from "../../client/index.js";
import { ServiceError } from "../../errors/service-error.js";
import type { FrameRow } from "../../store/index.js";
import { eventPage, followedEvents, PAGE } from "./gateway-events.js";
import { asked } from "./open-client.js";
import type { Place, SharedMethod } from "./place.js";

/** The runs, schedules and facts of a gateway, which records who acted. */
export function gatewayPlace(client: GatewayClient): Place {
  const call =
    <M extends SharedMethod>(method: M) =>
    (params: GatewayMethods[M]["params"]) =>
      asked((client[method] as (given: unknown) => Promise<GatewayMethods[M]["result"]>)(params));
  const find = (run: string) => asked(client.findRun({ run: run === "-" ? "latest" : run }));
  return {
    diffFrames: call("diffFrames"),
    diffNode: call("diffNode"),
    explainRun: call("explainRun"),
    findRequest: call("findRequest"),
    getFrame: call("getFrame"),
    getNode: call("getNode"),
    getPrompt: call("getPrompt"),
    inspectRun: call("inspectRun"),
    listRuns: call("listRuns"),
    submitSignal: call("submitSignal"),
    cronCreate: call("cronCreate"),
    cronDelete: call("cronDelete"),
    cronUpdate: call("cronUpdate"),
    webhookDeliveries: ({ limit, ...filter }) =>
      asked(client.webhookDeliveries({ ...filter, limit: pageSize(limit) })),
    webhookReplay: call("webhookReplay"),
    find,
    findRun: ({ run }) => find(run),
    listScores: (filter) => asked(client.listScores({ ...filter, limit: pageSize(filter.limit) })),
    listMemoryFacts: (filter) => asked(client.listMemoryFacts({ ...filter, limit: pageSize(filter.limit) })),
    listFrames: (query) => allFrames(client, query),
    listInbox: (filter) => asked(client.listInbox({ ...filter, limit: pageSize(filter.limit) })),
    cronList: ({ history, ...filter }) =>
      asked(client.cronList({ ...filter, history: history && pageSize(history) })),
    async cronRun(request) {
      const { workflowKey: _key, ...occurrence } = await asked(client.cronRun(request));
      return occurrence;
    },
    async submitApproval({ scopes, ...decision }) {
      refuse("--scope", scopes);
      return asked(client.submitApproval(decision));
    },
    async cancelRun({ requestedBy, ...request }) {
      refuse("--by", requestedBy);
      return asked(client.cancelRun(request));
    },
    forkRun: ({ acceptWorkflowChange: _own, ...request }) => asked(client.forkRun(request)),
    replayRun: ({ acceptWorkflowChange: _own, ...request }) => asked(client.replayRun(request)),
    rewindRun: ({ acceptWorkflowChange: _own, ...request }) => asked(client.rewindRun(request)),
    retryTask: ({ acceptWorkflowChange: _own, requestedBy: _by, ...request }) =>
      asked(client.retryTask(request)),
    completeTask: call("completeTask"),
    skipTask: call("skipTask"),
    pruneRuns: call("pruneRuns"),
    resumeRun: ({ signal: _own, ...request }) => asked(client.resumeRun(request)),
    events: (page) => asked(eventPage(client, page)),
    follow: (stream) => followedEvents(client, stream),
    async isDriven(runId) {
      const { workflowKey, runState } = await asked(client.getRun({ runId }));
      // The gateway continues with the runs of its own workflows.
      return workflowKey !== null || runState === "running";
    },
    resumeRemedy: async (runId) => ({ action: "resume", runId }),
    close: async () => client.close(),
  };
}

const pageSize = (limit: number = PAGE) => Math.min(PAGE, limit);

/** A gateway answers with a page. */
async function allFrames(
  client: GatewayClient,
  { limit = PAGE, ...query }: GatewayMethods["listFrames"]["params"],
): Promise<GatewayMethods["listFrames"]["result"]> {
  const frames: FrameRow[] = [];
  for (;;) {
    const beforeFrameNo = frames.at(-1)?.frameNo ?? query.beforeFrameNo;
    const size = pageSize(limit - frames.length);
    const more = { ...query, limit: size, ...(beforeFrameNo !== undefined && { beforeFrameNo }) };
    const page = await asked(client.listFrames(more));
    frames.push(...page.frames);
    if (page.frames.length < size || frames.length >= limit) return { frames };
  }
}

function refuse(option: string, value: unknown): void {
  if (value === undefined) return;
  throw new ServiceError(
    "CLI_USAGE",
    `${option} cannot go with a gateway: its credentials say who acts, and what they may do.`,
    { details: { option } },
  );
}
