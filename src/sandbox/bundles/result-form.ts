import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { SandboxBundle, SandboxResult } from "../../model/sandbox-provider.js";
import { once } from "../../util/once.js";

const LONGEST_ID = 256;
const id = () => z.string().min(1).max(LONGEST_ID).optional();
const WHERE = { remoteRunId: id(), workspaceId: id(), containerId: id() };

const BUNDLE = once(() => z.strictObject({ bundlePath: z.string().min(1), ...WHERE }));

const RESULT = once(() =>
  z.strictObject({
    status: z.enum(["finished", "failed", "cancelled"]),
    output: z.unknown().optional(),
    outputs: z.unknown().optional(),
    error: z.string().optional(),
    retryable: z.boolean().optional(),
    runId: z.string().max(LONGEST_ID).optional(),
    ...WHERE,
    diffBundle: z
      .strictObject({
        seq: z.number(),
        baseRef: z.string(),
        patches: z.array(
          z.strictObject({
            path: z.string(),
            operation: z.enum(["add", "modify", "delete"]),
            diff: z.string(),
            binaryContent: z.string().optional(),
          }),
        ),
      })
      .optional(),
    patches: z.array(z.string()).optional(),
    artifacts: z.array(z.string()).optional(),
    streamLogPath: z.string().optional(),
  }),
);

/** Whether a provider's result is a bundle. */
export function isBundle(given: unknown): given is SandboxBundle {
  return typeof given === "object" && given !== null && "bundlePath" in given;
}

/** @throws SANDBOX_BUNDLE_INVALID for another form */
export function checkBundle(given: SandboxBundle): void {
  check(BUNDLE(), given, "The result of the sandbox has another form than SandboxBundle");
}

/**
 * A result in its one form, with `output` and not `outputs`. Anyone may have made it.
 * @param what it is called where it is refused
 * @throws SANDBOX_BUNDLE_INVALID for another form
 */
export function checkedResult(given: unknown, what: string): SandboxResult {
  check(RESULT(), given, `${what} has another form than SandboxResult`);
  const { outputs, ...result } = given as SandboxResult;
  if (outputs === undefined) return result;
  if (result.output !== undefined) throw refused(`${what} has output and outputs: one of them is the row.`);
  return { ...result, output: outputs };
}

function check(form: z.ZodType, given: unknown, otherwise: string): void {
  const parsed = form.safeParse(given);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw refused(`${otherwise}${place}: ${issue?.message ?? "no reason"}.`);
}

function refused(message: string): ServiceError {
  return new ServiceError("SANDBOX_BUNDLE_INVALID", message);
}
