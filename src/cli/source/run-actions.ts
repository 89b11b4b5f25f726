import type { ApprovalRow } from "../../model/approval.js";
import type { Remedy } from "../../model/remedy.js";
import type { RunResult } from "../../model/run.js";
import type {
  CancelRequest,
  CancelResult,
  DecisionRequest,
  DecisionResult,
  RequestAddress,
  RetryTaskOptions,
  RetryTaskResult,
  RunList,
  RunListFilter,
  RunView,
  SignalRequest,
  SignalResult,
} from "../../operations/index.js";
import type { KnownRun } from "./run-source.js";

/** A request as the person who decides has to see it. */
export interface FoundRequest {
  request: ApprovalRow;
  /** The user who started the run; null when unknown. */
  askedBy: string | null;
}

export interface Decision extends Omit<DecisionRequest, "decidedBy" | "scopes"> {
  approved: boolean;
  /** Who says so. @default the user of this machine, or whom the gateway has let in */
  by?: string;
  /** Nothing proves them: of a database only. */
  scopes?: string[];
}

export type TaskReset = Omit<RetryTaskOptions, "onProgress">;

export interface ResumeRun {
  runId: string;
  force: boolean;
  acceptWorkflowChange: boolean;
  /** Releases the run, which stays resumable. */
  signal: AbortSignal;
}

export type ResumedRun = Pick<RunResult, "runId" | "status">;

/** Actions of commands on runs, in a database or through a gateway. */
export interface RunActions {
  /** @throws RUN_NOT_FOUND; INVALID_INPUT with the candidates */
  find(reference: string): Promise<KnownRun>;
  list(filter: RunListFilter): Promise<RunList>;
  request(address: RequestAddress): Promise<FoundRequest>;
  decide(decision: Decision): Promise<DecisionResult & { decidedBy: string | null }>;
  /** With `dryRun` it is only checked. */
  signal(request: SignalRequest, how: { dryRun: boolean }): Promise<SignalResult>;
  /** `requestedBy` is of a database only: a gateway knows who asks. */
  cancel(request: CancelRequest): Promise<CancelResult>;
  /** @throws RESUME_METADATA_MISMATCH for a database where the code has changed, unless that is accepted */
  resetTask(
    request: TaskReset,
    how: { acceptWorkflowChange: boolean },
  ): Promise<Pick<RetryTaskResult, "resetNodes">>;
  /** The run that is meant, as lists show it. @throws as find */
  view(reference: string): Promise<RunView>;
  /** Of a database: once it has ended, waits, or was released. Of a gateway: once it is under way. */
  resume(request: ResumeRun): Promise<ResumedRun>;
  /** Whether a living process takes up what is sent to the run. */
  isDriven(runId: string): Promise<boolean>;
  /** How a process is made to drive the run. */
  resumeRemedy(runId: string): Promise<Remedy>;
  /** Whether nothing that was sent to the run is left to be taken up. Absent where it is not known. */
  isTakenUp?(runId: string): Promise<boolean>;
}
