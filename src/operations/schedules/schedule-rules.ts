import {
  CATCH_UP_POLICIES,
  type CatchUpPolicy,
  OVERLAP_POLICIES,
  type OverlapPolicy,
} from "../../model/schedule.js";
import { ServiceError } from "../../errors/service-error.js";
import * as rules from "../../options/option-rules.js";
import { MAX_INPUT_BYTES, type Store } from "../../store/index.js";
import { sentJson } from "../../options/sent-json.js";

/** Settings that can be given, and changed later. */
export interface GivenSettings {
  /** Cron expression: five fields, or six with seconds first. */
  pattern: string;
  /** IANA name. @default "UTC" */
  timeZone?: string;
  /** The effect of a time that comes while the previous run continues. @default "skip" */
  overlap?: OverlapPolicy;
  /** The effect of times at which no process looked. @default "skip" */
  catchUp?: CatchUpPolicy;
  /** @default true */
  enabled?: boolean;
  /** Input of its runs. @default {} */
  input?: Record<string, unknown>;
}

export const SETTING_RULES = {
  pattern: rules.required(rules.name),
  timeZone: rules.withDefault(rules.name, "UTC"),
  overlap: rules.withDefault(rules.oneOf(OVERLAP_POLICIES), "skip"),
  catchUp: rules.withDefault(rules.oneOf(CATCH_UP_POLICIES), "skip"),
  enabled: rules.withDefault(rules.flag, true),
  input: rules.withDefault(rules.record, {}),
} satisfies rules.OptionRules<GivenSettings>;

/** Ids of schedules that a gateway's code defines begin with it. */
export const CODE_PREFIX = "gateway:";

export function isOfCode(cronId: string): boolean {
  return cronId.startsWith(CODE_PREFIX);
}

/**
 * The input as it is kept.
 * @throws INVALID_INPUT for what is no JSON, too large, or does not fit what the store knows of the input
 */
export function checkedInput(
  store: Store,
  input: Record<string, unknown>,
  { isKnown }: { isKnown: boolean },
): Record<string, unknown> {
  const subject = "The input of a schedule";
  const kept = sentJson(input, { subject, limitBytes: MAX_INPUT_BYTES, details: { option: "input" } });
  // A store without the workflow's schema takes anything; its gateway finds out.
  if (isKnown) store.validateInput(kept);
  return kept as Record<string, unknown>;
}

export function noSchedule(cronId: string): ServiceError {
  return new ServiceError("CRON_NOT_FOUND", `There is no schedule ${JSON.stringify(cronId)}.`, {
    details: { cronId },
  });
}
