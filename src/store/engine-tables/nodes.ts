import { nodeWaitSchema } from "../../model/intent.js";
import {
  ATTEMPT_STATES,
  type AttemptMeta,
  type AttemptRow,
  NODE_STATES,
  type NodeRow,
} from "../../model/node.js";
import { TASK_KINDS } from "../../model/task.js";
import {
  count,
  flag,
  instant,
  json,
  jsonAsText,
  nullable,
  optional as optionalColumn,
  oneOf,
  position,
  text,
  withDefault,
} from "../columns/column.js";
import { type Columns, RowTable } from "../columns/row-table.js";
import {
  described,
  listOf,
  literal,
  number,
  object,
  optional,
  orNull,
  type Shape,
  string,
} from "../columns/shape.js";
import { errorShape } from "./error-shape.js";

const nodeColumns: Columns<NodeRow> = {
  nodeId: text("node_id"),
  iteration: count("iteration"),
  state: oneOf("state", NODE_STATES),
  lastAttempt: count("last_attempt"),
  failures: count("failures"),
  failureFingerprint: nullable(text("failure_fingerprint")),
  identicalFailures: count("identical_failures"),
  dueAtMs: nullable(instant("due_at_ms")),
  waitingSinceMs: nullable(instant("waiting_since_ms")),
  outputKey: text("output_key"),
  loopId: nullable(text("loop_id")),
  label: nullable(text("label")),
  fingerprint: text("fingerprint"),
  updatedAtMs: instant("updated_at_ms"),
  finishedSeq: nullable(position("finished_seq")),
  error: nullable(json("error_json", errorShape)),
  kind: nullable(oneOf("kind", TASK_KINDS)),
  wait: nullable(json("wait_json", described(nodeWaitSchema))),
  interruptions: withDefault(count("interruptions"), 0),
};

/** A node as readers see it. */
export const nodeTable = new RowTable<NodeRow>({
  name: "_service_nodes",
  key: ["nodeId", "iteration"],
  ofRun: true,
  columns: nodeColumns,
});

export interface StoredNode extends NodeRow {
  /** Newest event of the commit that brought it into its state; null for a row whose state is as old as the run, or older than the column. */
  stateSeq: number | null;
  /** The signal that it waits for, of `wait`; null where it waits for none. */
  awaitedEvent: string | null;
}

/** A node that may wait for a child run; one without a kind is older than the column. */
export const WAITS_FOR_CHILD = "state LIKE 'waiting-%' AND (kind IS NULL OR kind IN ('subflow', 'sandbox'))";

/** All that is kept of a node. */
export const storedNodeTable = new RowTable<StoredNode>({
  name: nodeTable.name,
  key: ["nodeId", "iteration"],
  ofRun: true,
  storage: {
    isCompact: true,
    indexes: {
      by_event: { on: ["awaited_event"], where: "awaited_event IS NOT NULL" },
      for_child: { on: ["run_no"], where: WAITS_FOR_CHILD },
    },
  },
  columns: {
    ...nodeColumns,
    stateSeq: nullable(count("state_seq")),
    awaitedEvent: nullable(text("awaited_event")),
  },
});

/** The members that the library knows; others are for people. */
type KnownMeta = {
  [Member in keyof AttemptMeta as string extends Member ? never : Member]: AttemptMeta[Member];
};

const metaShape = object<KnownMeta>({
  agentId: optional(string),
  agentModel: optional(string),
  outputMode: optional(literal("native", "tool", "prompted")),
  schemaRetries: optional(number),
  sessionId: optional(string),
  childRunId: optional(string),
  childDatabase: optional(string),
  childRunEvents: optional(number),
  childTokens: optional(number),
  cacheKey: optional(string),
  aspectIds: optional(listOf(string)),
  editedPrompt: optional(object<NonNullable<KnownMeta["editedPrompt"]>>({ by: orNull(string) })),
}) as Shape<KnownMeta> as unknown as Shape<AttemptMeta>;

const attemptColumns: Columns<AttemptRow> = {
  nodeId: text("node_id"),
  iteration: count("iteration"),
  attempt: count("attempt"),
  state: oneOf("state", ATTEMPT_STATES),
  startedAtMs: instant("started_at_ms"),
  finishedAtMs: nullable(instant("finished_at_ms")),
  heartbeatAtMs: nullable(instant("heartbeat_at_ms")),
  heartbeatJson: nullable(jsonAsText("heartbeat_json")),
  cached: flag("cached"),
  error: nullable(json("error_json", errorShape)),
  meta: nullable(json("meta_json", metaShape)),
  queue: optionalColumn(text("queue")),
  ownerId: optionalColumn(text("owner_id")),
  leaseExpiresAtMs: optionalColumn(instant("lease_expires_at_ms")),
};

/** An attempt as readers see it. */
export const attemptTable = new RowTable<AttemptRow>({
  name: "_service_attempts",
  key: ["nodeId", "iteration", "attempt"],
  ofRun: true,
  columns: attemptColumns,
});

export interface StoredAttempt extends AttemptRow {
  /** Its child run is in another database. */
  hasForeignChild: boolean;
}

/** All that is kept of an attempt. */
export const storedAttemptTable = new RowTable<StoredAttempt>({
  name: attemptTable.name,
  key: ["nodeId", "iteration", "attempt"],
  ofRun: true,
  storage: { isCompact: true },
  columns: { ...attemptColumns, hasForeignChild: withDefault(flag("has_foreign_child"), 0) },
});
