import { parseDuration } from "../../util/duration.js";
import { defaultsOf } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";

/** Options of every agent that runs a command-line tool. */
export interface BaseCliAgentOptions {
  /** Attributes events and errors. @default the engine's id, such as `claude-code` */
  id?: string;
  /** The named limit that its attempts count for, see docs/concepts/limits.md. @default none */
  limit?: string;
  /** Passed to the tool as it stands. @default the tool's own choice */
  model?: string;
  /** Takes the place of the tool's system prompt where the tool allows that, otherwise put before the prompt. */
  systemPrompt?: string;
  /** Added to what the tool knows anyway. */
  instructions?: string;
  /** Working folder, relative to the task's root folder. @default the task's root folder */
  cwd?: string;
  /** Variables for the tool, on top of the environment of this process. */
  env?: Record<string, string>;
  /** The tool's most permissive mode: it acts without asking. @default false */
  yolo?: boolean;
  /** Hard wall-clock limit of one generation, in milliseconds. @default none */
  timeoutMs?: number;
  /** Longest silence of the tool, in milliseconds. @default none */
  idleTimeoutMs?: number;
  /**
   * How long the tool may repeat a request that its provider refuses (429, 401, 5xx) before the call ends
   * with that reason: milliseconds, a duration such as `"2m"`, or `Infinity`. @default "30s"
   */
  quotaPatience?: number | string;
  /** Longest answer that is kept, in bytes. @default the run's `maxOutputBytes`, else 200000 */
  maxOutputBytes?: number;
  /** Arguments added after all others. */
  extraArgs?: string[];
}

const FINITE = rules.checked<number>(
  "a number above 0",
  (value) => rules.positiveNumber.fits(value) && value !== Number.POSITIVE_INFINITY,
);

export const BASE_OPTION_RULES = {
  id: rules.text,
  limit: rules.name,
  model: rules.text,
  systemPrompt: rules.text,
  instructions: rules.text,
  cwd: rules.text,
  env: rules.secret(rules.textsByName),
  yolo: rules.withDefault(rules.flag, false),
  timeoutMs: FINITE,
  idleTimeoutMs: FINITE,
  quotaPatience: rules.withDefault(
    rules.checked(
      'a duration such as "30s", a number of milliseconds or Infinity',
      (value) =>
        value === Number.POSITIVE_INFINITY ||
        ((typeof value === "string" || typeof value === "number") && parseDuration(value) !== undefined),
    ),
    "30s",
  ),
  maxOutputBytes: FINITE,
  extraArgs: rules.texts,
} satisfies rules.OptionRules<BaseCliAgentOptions>;

/** How long a tool may repeat a request that is refused. */
export const { quotaPatience: QUOTA_PATIENCE } = defaultsOf(BASE_OPTION_RULES);
