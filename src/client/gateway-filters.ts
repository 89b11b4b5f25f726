import type { ApprovalRow } from "../model/approval.js";
import type { ApprovalPage, ApprovalPageFilter, RunListFilter } from "../operations/index.js";

/** Of one workflow. */
export interface KeyFilter {
  /** Key of a registered workflow. @default all */
  workflow?: string;
}

/** Of the caller. */
export interface CallerFilter {
  /** Only runs with a request without an answer that the caller may decide. @default false */
  needsMe?: boolean;
}

/** Which runs of a gateway to list. */
export interface GatewayRunFilter
  extends Omit<RunListFilter, "finishedBeforeMs" | "decidableBy">,
    KeyFilter,
    CallerFilter {}

/** Which requests of a gateway to list. */
export interface GatewayApprovalFilter extends Omit<ApprovalPageFilter, "nodeId">, KeyFilter {}

/** A request, with the workflow that its run is of. */
export interface GatewayApproval extends ApprovalRow {
  /** Key of the run's workflow; null when that is not registered. */
  workflowKey: string | null;
}

/** A page of requests of all databases of a gateway, longest waiting first. */
export interface GatewayApprovalPage extends ApprovalPage {
  approvals: GatewayApproval[];
}
