import {
  APPROVAL_MODES,
  APPROVAL_STATUSES,
  type ApprovalOption,
  type ApprovalRequest,
  type ApprovalRow,
} from "../../model/approval.js";
import { approvalDecisionSchema } from "../../model/intent.js";
import { count, flag, instant, json, nullable, oneOf, text } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import {
  anything,
  boolean,
  described,
  listOf,
  object,
  optional,
  recordOf,
  string,
} from "../columns/shape.js";

const requestShape = object<ApprovalRequest>({
  title: string,
  summary: optional(string),
  metadata: optional(recordOf(anything)),
  asksForData: optional(boolean),
});

const optionShape = object<ApprovalOption>({
  key: string,
  label: string,
  summary: optional(string),
  metadata: optional(recordOf(anything)),
});

export const approvalTable = new RowTable<Omit<ApprovalRow, "runId">>({
  name: "_service_approvals",
  key: ["nodeId", "iteration"],
  ofRun: true,
  storage: { indexes: { by_status: { on: ["status", "requested_at_ms"] } } },
  columns: {
    nodeId: text("node_id"),
    iteration: count("iteration"),
    status: oneOf("status", APPROVAL_STATUSES),
    mode: oneOf("mode", APPROVAL_MODES),
    request: json("request_json", requestShape),
    options: nullable(json("options_json", listOf(optionShape))),
    allowedScopes: nullable(json("allowed_scopes_json", listOf(string))),
    allowedUsers: nullable(json("allowed_users_json", listOf(string))),
    requestHash: text("request_hash"),
    requestedAtMs: instant("requested_at_ms"),
    decidedAtMs: nullable(instant("decided_at_ms")),
    decision: nullable(json("decision_json", described(approvalDecisionSchema))),
    autoApproved: flag("auto_approved"),
  },
});
