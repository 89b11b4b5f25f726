import type { FrameSnapshot } from "../graph/frame-snapshot.js";
import type { ApprovalRow } from "../model/approval.js";
import type { RunEventType, StoredEvent } from "../model/events.js";
import type { MemoryThread } from "../model/memory.js";
import type { RunStatus } from "../model/run.js";
import type { ScheduleSettings } from "../model/schedule.js";
import type {
  AgentActivity,
  AgentCheck,
  CancelRequest,
  CancelResult,
  CompleteTaskRequest,
  Conversation,
  DecisionRequest,
  DecisionResult,
  DeliveryList,
  FrameDiff,
  FrameDiffRequest,
  NodeDiff,
  NodeDiffRequest,
  FrameQuery,
  FrameView,
  Inbox,
  InterventionResult,
  MemoryFactFilter,
  MemoryFactPage,
  NodesAsOf,
  NodesAsOfRequest,
  NodeView,
  OccurrenceView,
  PreviousInput,
  PromptFile,
  PromptRequest,
  PromptView,
  PruneRequest,
  PruneResult,
  ForkResult,
  ForkRunOptions,
  RetryTaskOptions,
  ReplayFork,
  ReplayRunOptions,
  ReplayedDelivery,
  RewindResult,
  RewindRunOptions,
  RetryTaskResult,
  RunDetail,
  RunExplanation,
  RunHistogram,
  RunHistogramFilter,
  RunInspection,
  RunList,
  RunView,
  ScheduleList,
  ScheduleView,
  ScoreListFilter,
  ScorePage,
  ScoreTrends,
  ScoreTrendsFilter,
  SignalRequest,
  SignalResult,
  SkipTaskRequest,
  SpanPage,
  SpanQuery,
  TaskInspection,
  TaskRequest,
  WorkflowActivity,
  WorkflowInspection,
} from "../operations/index.js";
import type { FrameRow } from "../store/index.js";
import type { BrokenWorkflow, WebhookDescription, WorkflowDescription } from "./gateway-descriptions.js";
import type {
  CallerFilter,
  GatewayApprovalFilter,
  GatewayApprovalPage,
  GatewayRunFilter,
  KeyFilter,
} from "./gateway-filters.js";
import type { HostStatus } from "./host-status.js";

interface DryRun {
  /** Only check it, and say what it would come to. @default false */
  dryRun?: boolean;
}

type None = Record<string, never>;

type Input = Record<string, unknown>;

/** The gateway as clients see it. */
export interface HostDescription {
  /** As `ready`. */
  ok: boolean;
  /** Whether its databases can be read. */
  ready: boolean;
  /** Why it is not ready. */
  error?: { code: string };
  protocol: number;
  features: string[];
  version: string;
  /** Only for an authenticated caller. */
  workspaceRoot?: string;
}

/** Params that launch a run of a registered workflow. */
export interface LaunchParams {
  /** Key of the workflow. */
  workflow: string;
  input?: Input;
  runId?: string;
  /** The same key with equal params is the same run. */
  idempotencyKey?: string;
  maxConcurrency?: number;
  /** The queue of tasks that name none: workers of it execute them. */
  queue?: string;
  annotations?: Record<string, string | number | boolean>;
}

/**
 * Params and result of each method; docs/gateway.md says what it does and which scope it needs. The table of
 * the gateway's methods is held to this by its types (`AsTold`).
 */
export interface GatewayMethods {
  launchRun: {
    params: LaunchParams;
    result: { runId: string; status: RunStatus; isNew: boolean; workflowKey: string };
  };
  resumeRun: {
    params: { runId: string; force?: boolean; acceptWorkflowChange?: boolean };
    result: { runId: string; status: RunStatus };
  };
  cancelRun: { params: Omit<CancelRequest, "requestedBy">; result: CancelResult };
  retryTask: {
    params: Omit<RetryTaskOptions, "onProgress" | "requestedBy">;
    result: { runId: string } & Pick<RetryTaskResult, "resetNodes" | "seq">;
  };
  /** `completedBy`: in whose name; null without a name. `needsResume`: the gateway could not continue the failed run itself. */
  completeTask: {
    params: CompleteTaskRequest;
    result: InterventionResult & { completedBy: string | null };
  };
  /** As completeTask. */
  skipTask: { params: SkipTaskRequest; result: InterventionResult & { skippedBy: string | null } };
  pruneRuns: { params: PruneRequest; result: PruneResult };
  forkRun: { params: Omit<ForkRunOptions, "auth">; result: ForkResult };
  replayRun: {
    params: Omit<ReplayRunOptions, "auth" | "onProgress" | "signal">;
    result: ReplayFork & {
      /** Of the new run, once it is under way; null where none was made. */
      status: RunStatus | null;
    };
  };
  rewindRun: { params: Omit<RewindRunOptions, "requestedBy">; result: RewindResult };
  getRun: { params: { runId: string }; result: RunDetail };
  findRun: {
    params: {
      /** An id, the unique start of one, or `latest`. */
      run: string;
    };
    result: RunView;
  };
  inspectRun: {
    params: { runId: string };
    result: RunInspection;
  };
  listRuns: { params: GatewayRunFilter & { status?: RunStatus }; result: RunList };
  /** Runs of a `workflow` are those of its name, which it must have whatever the input. */
  runHistogram: {
    params: Omit<RunHistogramFilter, "decidableBy"> & KeyFilter & CallerFilter;
    result: RunHistogram;
  };
  listWorkflows: { params: None; result: { workflows: WorkflowDescription[]; broken: BrokenWorkflow[] } };
  inspectWorkflow: { params: { workflow: string; input?: Input }; result: WorkflowInspection };
  listInputs: {
    params: {
      workflow: string;
      /** Inputs at most, up to 50. @default 10 */
      limit?: number;
    };
    result: { inputs: PreviousInput[] };
  };
  /** Runs of each workflow are those of its name; one whose name depends on the input is left out. */
  workflowActivity: {
    params: KeyFilter & {
      /** Only runs that were made later, epoch milliseconds. */
      sinceMs: number;
    };
    result: { workflows: (WorkflowActivity & { workflow: string })[] };
  };
  getGraph: {
    params: { runId: string } | { workflow: string; input?: Input };
    result: FrameSnapshot & { frameNo: number; runId: string | null };
  };
  getNode: { params: { runId: string; nodeId: string; iteration?: number }; result: NodeView };
  inspectTask: { params: TaskRequest; result: TaskInspection };
  getPrompt: { params: PromptRequest; result: PromptView };
  listEvents: {
    params: {
      runId: string;
      /** Only events with a greater number. */
      afterSeq?: number;
      /** Only events with a smaller number. */
      beforeSeq?: number;
      types?: RunEventType[];
      nodeId?: string;
      /** Newest first. */
      descending?: boolean;
      /** At most 500; large events make fewer. */
      limit?: number;
    };
    /** With `hasMore`, ask again: `afterSeq` is then the number of the last event, or `beforeSeq` with `descending`. */
    result: { events: StoredEvent[]; hasMore: boolean };
  };
  listSpans: { params: SpanQuery; result: SpanPage };
  listFrames: {
    params: { runId: string } & FrameQuery;
    result: { frames: FrameRow[] };
  };
  getFrame: { params: { runId: string; frameNo?: number }; result: FrameView & { runId: string } };
  diffNode: { params: NodeDiffRequest; result: NodeDiff };
  diffFrames: { params: FrameDiffRequest; result: FrameDiff };
  listNodesAsOf: { params: NodesAsOfRequest; result: NodesAsOf };
  explainRun: { params: { runId: string }; result: RunExplanation };
  listInbox: { params: { workflowName?: string; limit?: number }; result: Inbox };
  findRequest: {
    params: { runId: string; nodeId?: string; iteration?: number };
    result: {
      request: ApprovalRow;
      /** The user who started the run; null when unknown. */
      askedBy: string | null;
    };
  };
  /** `summary` is of all scores that were asked for, not only those of the page. */
  listScores: { params: ScoreListFilter; result: ScorePage };
  /** Runs of a `workflow` are those of its name, which it must have whatever the input. */
  scoreTrends: { params: ScoreTrendsFilter & KeyFilter; result: ScoreTrends };
  agentActivity: {
    params: {
      /** Since when calls are counted, epoch milliseconds. @default 7 days ago */
      sinceMs?: number;
    };
    result: AgentActivity;
  };
  checkAgents: { params: None; result: { agents: AgentCheck[]; checkedAtMs: number } };
  hostStatus: { params: None; result: HostStatus };
  listMemoryFacts: { params: MemoryFactFilter; result: MemoryFactPage };
  /** The one that was written to last comes first. */
  listMemoryThreads: {
    params: {
      /** As of `listMemoryFacts`. */
      namespace?: string;
      /** Threads at most, up to 500. @default 50 */
      limit?: number;
    };
    result: { threads: MemoryThread[] };
  };
  getMemoryThread: {
    params: {
      threadId: string;
      /** The newest messages, up to 500. @default 50 */
      limit?: number;
    };
    result: Conversation;
  };
  listPrompts: { params: None; result: { prompts: PromptFile[] } };
  listApprovals: { params: GatewayApprovalFilter; result: GatewayApprovalPage };
  submitApproval: {
    params: Omit<DecisionRequest, "scopes"> & { approved: boolean };
    /** `decidedBy`: in whose name it was decided; null without a name. */
    result: DecisionResult & { decidedBy: string | null };
  };
  submitSignal: { params: SignalRequest & DryRun; result: SignalResult };
  cronList: {
    params: KeyFilter & {
      cronId?: string;
      /** Newest occurrences of each. */
      history?: number;
    };
    result: ScheduleList;
  };
  cronCreate: {
    params: Partial<ScheduleSettings> & { workflow: string; pattern: string; cronId?: string } & DryRun;
    result: Omit<ScheduleView, "history">;
  };
  cronUpdate: {
    params: Partial<ScheduleSettings> & { cronId: string } & DryRun;
    result: Omit<ScheduleView, "history">;
  };
  cronDelete: { params: { cronId: string } & DryRun; result: { cronId: string; removed: boolean } };
  cronRun: {
    params: { cronId: string; input?: Input } & DryRun;
    result: OccurrenceView & { workflowKey: string };
  };
  webhookList: { params: KeyFilter; result: { webhooks: WebhookDescription[] } };
  webhookDeliveries: { params: { workflow: string; limit?: number }; result: DeliveryList };
  webhookReplay: {
    params: {
      workflow: string;
      /** Its `deliveryKey`, or its id. */
      delivery: string;
      /** The same id is the same replay of a delivery that was done. @default a random one */
      replayId?: string;
    } & DryRun;
    result: ReplayedDelivery;
  };
  health: {
    params: None;
    result: HostDescription & {
      /** What this gateway can be asked for. */
      methods: readonly string[];
      /** In whose name this caller acts; null where callers need no name. */
      caller: string | null;
      /** Of the methods that this caller may not use: the first scope that is missing. */
      missingScopes: Record<string, string>;
    };
  };
}

/** The name of a method of a gateway. */
export type GatewayMethodName = keyof GatewayMethods;

/** Every method that is called; streams are opened with `runEvents`. */
export const METHOD_NAMES = Object.keys({
  launchRun: true,
  resumeRun: true,
  cancelRun: true,
  retryTask: true,
  completeTask: true,
  skipTask: true,
  pruneRuns: true,
  forkRun: true,
  replayRun: true,
  rewindRun: true,
  getRun: true,
  findRun: true,
  inspectRun: true,
  listRuns: true,
  runHistogram: true,
  listWorkflows: true,
  inspectWorkflow: true,
  listInputs: true,
  workflowActivity: true,
  getGraph: true,
  getNode: true,
  inspectTask: true,
  getPrompt: true,
  listEvents: true,
  listSpans: true,
  listFrames: true,
  getFrame: true,
  diffNode: true,
  diffFrames: true,
  listNodesAsOf: true,
  explainRun: true,
  listInbox: true,
  findRequest: true,
  listScores: true,
  scoreTrends: true,
  agentActivity: true,
  checkAgents: true,
  hostStatus: true,
  listMemoryFacts: true,
  listMemoryThreads: true,
  getMemoryThread: true,
  listPrompts: true,
  listApprovals: true,
  submitApproval: true,
  submitSignal: true,
  cronList: true,
  cronCreate: true,
  cronUpdate: true,
  cronDelete: true,
  cronRun: true,
  webhookList: true,
  webhookDeliveries: true,
  webhookReplay: true,
  health: true,
} satisfies Record<GatewayMethodName, true>) as GatewayMethodName[];
