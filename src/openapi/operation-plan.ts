import type { z } from "zod";
import { type InputParameter, inputKeys, toolInputSchema } from "./input-schema.js";
import type { LoadedSpec } from "./load-spec.js";
import type { SpecOperation } from "./operations.js";
import type { ResolvedOptions } from "./options.js";
import { type OperationParameters, parametersOf, type SpecParameter } from "./parameters.js";
import { type BodyOutcome, bodyOf, type SpecBody } from "./request-body.js";
import { toZod } from "./schema/to-zod.js";
import type { OpenApiWarning, OpenApiWarningKind } from "./warning.js";

/** All that is known about an operation before it is called. */
export interface OperationPlan {
  readonly operation: SpecOperation;
  readonly parameters: readonly InputParameter[];
  readonly body?: SpecBody & { readonly key: string };
  readonly inputSchema: z.ZodType<Record<string, unknown>>;
  readonly warnings: readonly OpenApiWarning[];
  /** Notes for the model about parts that are not sent. */
  readonly notes: readonly string[];
  /** Why no call can succeed; absent when calls can. */
  readonly obstacle?: string;
}

export function planOperation(
  loaded: LoadedSpec,
  operation: SpecOperation,
  options: ResolvedOptions,
): OperationPlan {
  const { spec } = loaded;
  const warnings: OpenApiWarning[] = [];
  const warn = (kind: OpenApiWarningKind, message: string) =>
    warnings.push({ kind, message, operationId: operation.id });

  const declared = parametersOf(spec, operation);
  for (const problem of declared.problems) warn("parameter", problem);
  const outcome = bodyOf(spec, operation);
  const unsent = [...unsentCookies(declared, options), ...unsentBody(outcome)];
  for (const { kind, message } of unsent) warn(kind, message);

  const sendable = declared.sendable.filter((parameter) => !isReserved(parameter, options));
  const keys = inputKeys(sendable, outcome.kind === "json");
  const parameters = sendable.map((parameter, index) => ({
    ...parameter,
    key: keys.parameters[index] as string,
  }));
  const body = outcome.kind === "json" ? { ...outcome.body, key: keys.body } : undefined;

  const converted = toZod({ spec, shared: loaded.shared }, toolInputSchema(parameters, body));
  if (converted.unchecked.length > 0) {
    warn("schema", `These schema keywords are not checked before a call: ${converted.unchecked.join(", ")}.`);
  }
  if (converted.pruned.length > 0) {
    warn(
      "schema",
      `The input is too large to be shown in full; any value is taken for ${listed(converted.pruned)}.`,
    );
  }
  for (const ref of converted.dangling) {
    warn("reference", `${ref} is not part of this document; any value is taken in its place.`);
  }

  const obstacle = unsent.find(({ fatal }) => fatal)?.message;
  return {
    operation,
    parameters,
    // The root is always an object schema, see toolInputSchema.
    inputSchema: converted.schema as z.ZodType<Record<string, unknown>>,
    warnings,
    notes: unsent.filter(({ isNoted }) => isNoted).map(({ message }) => message),
    ...(body !== undefined && { body }),
    ...(obstacle !== undefined && { obstacle }),
  };
}

const MOST_NAMES_LISTED = 8;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES_LISTED).join(", ");
  return names.length <= MOST_NAMES_LISTED ? shown : `${shown} and ${names.length - MOST_NAMES_LISTED} more`;
}

interface Unsent {
  kind: OpenApiWarningKind;
  message: string;
  /** The operation cannot work without this part. */
  fatal: boolean;
  /** Whether the model should know. */
  isNoted: boolean;
}

function unsentCookies({ cookies }: OperationParameters, options: ResolvedOptions): Unsent[] {
  // A cookie header among the operator's headers carries whatever cookies are needed.
  if (options.headers.has("cookie")) return [];
  return cookies.map(({ name, required }) => ({
    kind: "cookie-parameter",
    message: `The ${required ? "required " : ""}cookie parameter ${JSON.stringify(name)} is not sent.`,
    fatal: required,
    isNoted: true,
  }));
}

function unsentBody(outcome: BodyOutcome): Unsent[] {
  if (outcome.kind !== "unsupported") return [];
  const { reason, required, isNoted } = outcome;
  const message = `The ${required ? "required " : ""}request body ${reason}.`;
  return [{ kind: "request-body", message, fatal: required, isNoted }];
}

/** Whether the operator has set this parameter, so that no model can choose its value. */
function isReserved({ name, in: place }: SpecParameter, options: ResolvedOptions): boolean {
  if (place === "header") return options.headers.has(name);
  return place === "query" && options.queryKey?.name === name;
}
