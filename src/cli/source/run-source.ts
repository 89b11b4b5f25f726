import type { RunEventType, StoredEvent } from "../../model/events.js";
import type {
  Inbox,
  InboxFilter,
  NodeView,
  RunExplanation,
  RunInspection,
  RunList,
  RunListFilter,
  RunView,
  ScoreListFilter,
  ScorePage,
} from "../../operations/index.js";

/** The parts of a run that every command about it needs first. */
export type KnownRun = Pick<
  RunView,
  "runId" | "workflowName" | "status" | "runState" | "createdAtMs" | "startedAtMs"
>;

/** Where a task stands. */
export interface NodeAddress {
  runId: string;
  nodeId: string;
  /** @default the newest */
  iteration?: number;
}

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

/**
 * Runs as commands read them. A database and a gateway give the same, so that a command has one way of showing
 * it.
 */
export interface RunSource {
  /** @throws RUN_NOT_FOUND; INVALID_INPUT with the candidates */
  find(reference: string): Promise<KnownRun>;
  list(filter: RunListFilter): Promise<RunList>;
  inspect(runId: string): Promise<RunInspection>;
  explain(runId: string): Promise<RunExplanation>;
  node(address: NodeAddress): Promise<NodeView>;
  events(page: EventPage): Promise<StoredEvent[]>;
  follow(stream: EventStream): AsyncGenerator<StoredEvent, void>;
  scores(filter: ScoreListFilter): Promise<ScorePage>;
  inbox(filter: InboxFilter): Promise<Inbox>;
  close(): Promise<void>;
}
