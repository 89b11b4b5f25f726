import type { ApprovalRow } from "../model/approval.js";
import type { RunEventType, StoredEvent } from "../model/events.js";
import type { FrameTask } from "../model/graph.js";
import type { RunStatus } from "../model/run.js";
import type { ScheduleSettings } from "../model/schedule.js";
import type { XmlNode } from "../model/xml.js";
import type { CancelRequest, CancelResult } from "../operations/cancel-run.js";
import type { DecisionRequest, DecisionResult } from "../operations/decide-approval.js";
import type { RunExplanation } from "../operations/explain-run.js";
import type { RunDetail, RunList, RunView } from "../operations/get-run.js";
import type { ScoreListFilter, ScorePage } from "../operations/list-scores.js";
import type { RunInspection } from "../operations/read/inspect-run.js";
import type { Inbox } from "../operations/read/list-inbox.js";
import type { WorkflowInspection } from "../operations/inspect-workflow.js";
import type { MemoryFactFilter, MemoryFactPage } from "../operations/read/page-memory-facts.js";
import type { NodeView } from "../operations/read/read-run.js";
import type { OccurrenceView, ScheduleList, ScheduleView } from "../operations/schedules/list-schedules.js";
import type { SignalRequest, SignalResult } from "../operations/send-signal.js";
import type { DeliveryView } from "../operations/webhooks/list-deliveries.js";

/** Which of the gateway's workflows a thing belongs to. */
interface OfWorkflow {
  /** Key that the workflow is registered under; null when it is not. */
  workflowKey: string | null;
}

interface DryRun {
  /** Only check it, and say what it would come to. @default false */
  dryRun?: boolean;
}

type None = Record<never, never>;

/** A frame of a run's tree. */
interface Frame {
  frameNo: number;
  xml: XmlNode | null;
  tasks: FrameTask[];
}

/** What each method takes and answers; docs/gateway.md says what it does and which scope it needs. */
export interface GatewayMethods {
  launchRun: {
    params: {
      /** Key of the workflow. */
      workflow: string;
      input?: Record<string, unknown>;
      runId?: string;
      /** The same key with equal params is the same run. */
      idempotencyKey?: string;
      maxConcurrency?: number;
      annotations?: Record<string, string | number | boolean>;
    };
    result: { runId: string; status: RunStatus; isNew: boolean; workflowKey: string };
  };
  resumeRun: {
    params: { runId: string; force?: boolean; acceptWorkflowChange?: boolean };
    result: { runId: string; status: RunStatus };
  };
  cancelRun: { params: Omit<CancelRequest, "requestedBy">; result: CancelResult };
  retryTask: {
    params: {
      runId: string;
      nodeId: string;
      iteration?: number;
      resetDependents?: boolean;
      force?: boolean;
      dryRun?: boolean;
    };
    result: { runId: string; resetNodes: string[] };
  };
  getRun: { params: { runId: string }; result: RunDetail & OfWorkflow };
  findRun: {
    params: {
      /** An id, the unique start of one, or `latest`. */
      run: string;
    };
    result: RunView & OfWorkflow;
  };
  inspectRun: {
    params: { runId: string };
    result: Omit<RunInspection, "run"> & { run: RunDetail & OfWorkflow };
  };
  listRuns: {
    params: {
      status?: RunStatus;
      statuses?: RunStatus[];
      /** Key of the workflow. */
      workflow?: string;
      workflowName?: string;
      parentRunId?: string;
      /** Epoch milliseconds. */
      createdBeforeMs?: number;
      limit?: number;
      cursor?: string;
    };
    result: Omit<RunList, "runs"> & { runs: (RunView & OfWorkflow)[] };
  };
  listWorkflows: {
    params: None;
    result: {
      workflows: {
        key: string;
        workflowName: string | null;
        readableName: string | null;
        description: string | null;
        schedule: string | null;
        hasWebhook: boolean;
        uiPath: string | null;
      }[];
    };
  };
  inspectWorkflow: {
    params: { workflow: string; input?: Record<string, unknown> };
    result: WorkflowInspection;
  };
  getGraph: {
    params: { runId: string } | { workflow: string; input?: Record<string, unknown> };
    result: Frame & { runId: string | null };
  };
  getNode: { params: { runId: string; nodeId: string; iteration?: number }; result: NodeView };
  listEvents: {
    params: {
      runId: string;
      /** Only events with a greater number. */
      afterSeq?: number;
      types?: RunEventType[];
      nodeId?: string;
      /** Newest first. */
      descending?: boolean;
      limit?: number;
    };
    result: { events: StoredEvent[] };
  };
  listFrames: {
    params: { runId: string; afterFrameNo?: number; limit?: number };
    result: {
      frames: {
        frameNo: number;
        createdAtMs: number;
        reason: string;
        nodeId: string | null;
        iteration: number | null;
        snapshotFrameNo: number;
      }[];
    };
  };
  getFrame: { params: { runId: string; frameNo?: number }; result: Frame & { runId: string } };
  diffFrames: {
    params: { runId: string; fromFrameNo: number; toFrameNo: number };
    result: {
      runId: string;
      fromFrameNo: number;
      toFrameNo: number;
      added: FrameTask[];
      removed: FrameTask[];
      changed: { before: FrameTask; after: FrameTask }[];
      isTreeChanged: boolean;
    };
  };
  explainRun: { params: { runId: string }; result: RunExplanation };
  listInbox: { params: { workflowName?: string; limit?: number }; result: Inbox };
  findRequest: {
    params: { runId: string; nodeId?: string; iteration?: number };
    result: {
      request: ApprovalRow;
      /** Who started the run; null when nobody is known. */
      askedBy: string | null;
    };
  };
  /** `summary` is of all scores that were asked for, not only those of the page. */
  listScores: { params: ScoreListFilter; result: ScorePage };
  listMemoryFacts: { params: MemoryFactFilter; result: MemoryFactPage };
  listPrompts: {
    params: None;
    result: { prompts: { id: string; file: string; source: string; updatedAtMs: number }[] };
  };
  listApprovals: {
    params: {
      status?: ApprovalRow["status"];
      /** Key of the workflow. */
      workflow?: string;
      workflowName?: string;
      runId?: string;
      limit?: number;
    };
    result: { approvals: (ApprovalRow & OfWorkflow)[] };
  };
  submitApproval: {
    params: Omit<DecisionRequest, "scopes"> & { approved: boolean };
    /** `decidedBy`: in whose name it was decided; null when nobody was named. */
    result: DecisionResult & { decidedBy: string | null };
  };
  submitSignal: { params: SignalRequest & DryRun; result: SignalResult };
  cronList: {
    params: {
      /** Key of the workflow. */
      workflow?: string;
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
    params: { cronId: string; input?: Record<string, unknown> } & DryRun;
    result: OccurrenceView & { workflowKey: string };
  };
  webhookDeliveries: {
    params: { workflow: string; limit?: number };
    result: { deliveries: DeliveryView[] };
  };
  health: {
    params: None;
    result: {
      ok: true;
      protocol: number;
      features: string[];
      version: string;
      workspaceRoot?: string;
      /** What this gateway can be asked for. */
      methods: string[];
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
  getRun: true,
  findRun: true,
  inspectRun: true,
  listRuns: true,
  listWorkflows: true,
  inspectWorkflow: true,
  getGraph: true,
  getNode: true,
  listEvents: true,
  listFrames: true,
  getFrame: true,
  diffFrames: true,
  explainRun: true,
  listInbox: true,
  findRequest: true,
  listScores: true,
  listMemoryFacts: true,
  listPrompts: true,
  listApprovals: true,
  submitApproval: true,
  submitSignal: true,
  cronList: true,
  cronCreate: true,
  cronUpdate: true,
  cronDelete: true,
  cronRun: true,
  webhookDeliveries: true,
  health: true,
} satisfies Record<GatewayMethodName, true>) as GatewayMethodName[];
