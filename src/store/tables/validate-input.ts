import { ServiceError } from "../../errors/service-error.js";
import { utf8Length } from "../../util/bounded-text.js";
import { largestMember } from "../../util/largest-member.js";
import { isSurelyLarger } from "../../util/least-json.js";
import { MAX_INPUT_BYTES } from "../limits.js";
import { describeValue } from "./column.js";
import { type InputCodec, inputJson } from "./input-codec.js";
import { checkFields } from "./input-fields.js";
import { type InputIssue, isPlainRecord, mismatch } from "./input-values.js";

/**
 * Checks a run's input against the input table, not with the schema's parse:
 * nothing is coerced, defaulted, transformed or refined. A field and what is
 * inside it are checked by type (an enum or literal by membership) and presence.
 * A date field takes a Date or ISO 8601 text (a day, or a time with Z or offset) and is read back as a Date. A
 * field may be missing when it is optional, nullable or has a default.
 *
 * @returns the input as the run will read it back
 * @throws INVALID_INPUT listing every field that does not fit, or naming the limit that it exceeds
 */
export function validateInput(codec: InputCodec, value: unknown): Record<string, unknown> {
  const issues: InputIssue[] = [];
  if (!isPlainRecord(value)) {
    throw invalid([mismatch("", "an object", describeValue(value))]);
  }
  const row = codec.hasSchema ? checkFields(codec.columns, value, issues) : value;
  if (issues.length > 0) throw invalid(issues);
  checkSize(row);
  return codec.decode(codec.encode(row));
}

function checkSize(row: Record<string, unknown>): void {
  if (isSurelyLarger(row, MAX_INPUT_BYTES)) {
    throw new ServiceError(
      "INVALID_INPUT",
      `The run's input is more than ${MAX_INPUT_BYTES} bytes of JSON, which is the limit.`,
      { details: { path: "", limit: MAX_INPUT_BYTES } },
    );
  }
  const size = utf8Length(inputJson(row));
  if (size <= MAX_INPUT_BYTES) return;
  const [[field = "", json = ""] = []] = Object.entries(row)
    .map(([name, member]) => [name, inputJson(member)] as const)
    .sort(([, a], [, b]) => b.length - a.length);
  const largest = largestMember(json, field);
  throw new ServiceError(
    "INVALID_INPUT",
    `The run's input is ${size} bytes of JSON; the limit is ${MAX_INPUT_BYTES}. Its largest field is "${largest.path}" with ${largest.size} bytes.`,
    { details: { issues: [largest], path: largest.path, size, limit: MAX_INPUT_BYTES } },
  );
}

function invalid(issues: readonly InputIssue[]): ServiceError {
  const list = issues.map(({ path, message }) => `${path || "the input"}: ${message}`);
  return new ServiceError("INVALID_INPUT", `The run's input does not fit: ${list.join("; ")}.`, {
    details: { issues },
  });
}
