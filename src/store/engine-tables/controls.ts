import type { Alert, FiredAlert, Hold } from "../../model/alert.js";
import type { EditedPrompt, InlineState, LoopState, ScopeState, StoredControl } from "../../model/plan.js";
import { count, json, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import {
  boolean,
  byKind,
  listOf,
  literal,
  number,
  object,
  optional,
  orNull,
  recordOf,
  string,
  taskKeyText,
} from "../columns/shape.js";
import { errorShape } from "./error-shape.js";

const loopShape = object<LoopState>({
  kind: literal("loop"),
  id: string,
  iteration: number,
  done: boolean,
  exhausted: boolean,
});

const scopeShape = object<ScopeState>({
  kind: literal("scope"),
  id: string,
  phase: literal("body", "recover", "finally", "done"),
  error: optional(errorShape),
  failedKey: optional(taskKeyText),
  handled: optional(boolean),
  undo: optional(listOf(string)),
  owes: optional(listOf(string)),
  broken: optional(literal("recover", "finally")),
});

const inlineShape = object<InlineState>({ kind: literal("inline"), id: string, prefix: string });

const holdShape = object<Hold>({
  kind: literal("hold"),
  id: taskKeyText,
  reason: string,
  asks: boolean,
  sinceMs: number,
  isOpen: boolean,
});

const firedAlertShape = object<FiredAlert>({
  kind: literal("alert"),
  id: string,
  alert: object<Alert>({
    owner: optional(string),
    severity: literal("info", "warning", "critical"),
    runbook: optional(string),
    labels: optional(recordOf(string)),
    rule: string,
    message: string,
    runId: string,
    workflowName: string,
    nodeId: optional(string),
    iteration: optional(number),
    timestampMs: number,
    idempotencyKey: string,
  }),
  destination: orNull(string),
});

const promptShape = object<EditedPrompt>({
  kind: literal("prompt"),
  id: taskKeyText,
  prompt: orNull(string),
  editedBy: orNull(string),
});

const CONTROL_KINDS = [
  "loop",
  "scope",
  "inline",
  "hold",
  "alert",
  "prompt",
] as const satisfies StoredControl["kind"][];

interface ControlRow {
  kind: StoredControl["kind"];
  id: string;
  state: StoredControl;
}

/** A control in one of its states. */
export const controlTable = new RowTable<ControlRow>({
  name: "_service_controls",
  key: ["kind", "id"],
  ofRun: true,
  columns: {
    kind: oneOf("kind", CONTROL_KINDS),
    id: text("id"),
    state: json(
      "state_json",
      byKind<StoredControl>({
        loop: loopShape,
        scope: scopeShape,
        inline: inlineShape,
        hold: holdShape,
        alert: firedAlertShape,
        prompt: promptShape,
      }),
    ),
  },
});

/** Every state that a control has had: the newest is the present one. */
export const storedControlTable = new RowTable<ControlRow & { sinceSeq: number }>({
  name: controlTable.name,
  key: ["kind", "id", "sinceSeq"],
  ofRun: true,
  storage: { isCompact: true },
  columns: {
    kind: controlTable.columns.kind,
    id: controlTable.columns.id,
    /** Newest event of the commit that wrote it. */
    sinceSeq: count("since_seq"),
    state: controlTable.columns.state,
  },
});
