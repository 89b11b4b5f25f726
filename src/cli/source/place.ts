import type { GatewayMethodName, GatewayMethods } from "../../client/index.js";
import type { RunEventType, StoredEvent } from "../../model/events.js";
import type { Remedy } from "../../model/remedy.js";
import type { RunView } from "../../operations/index.js";

/** The parts of a run that every command about it needs first. */
export type KnownRun = Pick<
  RunView,
  "runId" | "workflowName" | "status" | "runState" | "createdAtMs" | "startedAtMs"
>;

export interface EventChoice {
  types?: RunEventType[];
  nodeId?: string;
}

export interface EventPage extends EventChoice {
  runId: string;
  afterSeq?: number;
  limit: number;
  descending?: boolean;
}

export interface EventStream extends EventChoice {
  runId: string;
  afterSeq?: number;
  /** Whether to wait for more until the run ends. */
  follow: boolean;
  /** @default unlimited */
  limit?: number;
  signal?: AbortSignal;
}

type Params<M extends GatewayMethodName> = GatewayMethods[M]["params"];
type Result<M extends GatewayMethodName> = GatewayMethods[M]["result"];

/** Methods of a gateway that commands call, and a database answers as well. */
export type SharedMethod =
  | "cancelRun"
  | "completeTask"
  | "cronCreate"
  | "cronDelete"
  | "cronList"
  | "cronRun"
  | "cronUpdate"
  | "diffFrames"
  | "diffNode"
  | "explainRun"
  | "findRequest"
  | "findRun"
  | "forkRun"
  | "getFrame"
  | "getNode"
  | "getPrompt"
  | "inspectRun"
  | "listFrames"
  | "listInbox"
  | "listMemoryFacts"
  | "listRuns"
  | "listScores"
  | "resumeRun"
  | "replayRun"
  | "pruneRuns"
  | "retryTask"
  | "rewindRun"
  | "skipTask"
  | "submitApproval"
  | "submitSignal"
  | "webhookDeliveries"
  | "webhookReplay";

/** Options that only a database takes: there the caller says who acts, and its code is loaded here. */
interface LocalParams {
  cancelRun: { requestedBy?: string };
  submitApproval: { scopes?: string[] };
  retryTask: { acceptWorkflowChange?: boolean; requestedBy?: string };
  forkRun: { acceptWorkflowChange?: boolean };
  replayRun: { acceptWorkflowChange?: boolean };
  rewindRun: { acceptWorkflowChange?: boolean };
  /** The signal releases the run, which stays resumable. */
  resumeRun: { signal?: AbortSignal };
}

/** Members that a gateway adds to an answer, since it has several databases. */
type Answer<M extends SharedMethod> = M extends "cronRun" ? Omit<Result<M>, "workflowKey"> : Result<M>;

type SharedCalls = {
  [M in SharedMethod]: (
    params: Params<M> & (M extends keyof LocalParams ? LocalParams[M] : unknown),
  ) => Promise<Answer<M>>;
};

/**
 * The place that a command is about: a gateway, or a database that answers the same methods, so that a command has one way
 * of asking. `replayRun` of a database makes the run, which the caller drives. `resumeRun` of a database answers once the run has ended, waits or was released; of a gateway once it is under way.
 */
export interface Place extends SharedCalls {
  /** The run that a person means. @throws RUN_NOT_FOUND; INVALID_INPUT with the candidates */
  find(reference: string): Promise<KnownRun>;
  events(page: EventPage): Promise<StoredEvent[]>;
  follow(stream: EventStream): AsyncGenerator<StoredEvent, void>;
  /** Whether a living process takes up what is sent to the run. */
  isDriven(runId: string): Promise<boolean>;
  /** How a process is made to drive the run. */
  resumeRemedy(runId: string): Promise<Remedy>;
  /** Whether nothing that was sent to the run is left to be taken up. Absent where it is not known. */
  isTakenUp?(runId: string): Promise<boolean>;
  close(): Promise<void>;
}
