import { ServiceError } from "../../errors/service-error.js";
import type { RunRow } from "../../model/run.js";
import type { DeliveredSignal, DeliveryPlan } from "../../model/webhook-delivery.js";
import type { Store } from "../../store/index.js";
import { type JsonPath, valueAt } from "../../util/json-path.js";
import { isPlainObject } from "../../util/same-data.js";
import { shortHash } from "../../util/hash.js";
import { requireRun } from "../request/require-run.js";

/** A path, and as it was written. */
export interface BodyPath {
  path: JsonPath;
  text: string;
}

/** A webhook's reading of a body. */
export interface WebhookMapping {
  signal: {
    name: string;
    correlationId: BodyPath | null;
    runId: BodyPath | null;
    payload: BodyPath | null;
  } | null;
  /** Null: it starts no runs. */
  run: { input: BodyPath | null } | null;
}

export interface PlanRequest {
  webhookKey: string;
  deliveryKey: string;
  mapping: WebhookMapping;
  body: unknown;
  /** Whether a run is one of the webhook's workflow, or a child of such a run. */
  isOwn(run: RunRow): Promise<boolean>;
}

/**
 * The plan of a delivery: a signal to the runs that wait for it or, where none does and the webhook starts
 * runs, a run; nothing for a webhook that is switched off.
 * @throws INVALID_INPUT for a body without the parts that the webhook reads; NODE_NOT_WAITING when no run waits
 * and no run is to be started; RUN_NOT_FOUND for the id of another workflow's run, too
 */
export async function planDelivery(store: Store, request: PlanRequest): Promise<DeliveryPlan> {
  const { mapping, body } = request;
  if (mapping.signal === null && mapping.run === null) return { signal: null, run: null };
  const signal = mapping.signal === null ? null : await planSignal(store, mapping.signal, request);
  if (signal !== null && signal.runIds.length > 0) return { signal, run: null };
  if (mapping.run === null) throw nothingWaits(signal);
  const input = mapping.run.input === null ? body : valueAt(body, mapping.run.input.path);
  if (!isPlainObject(input)) throw mismatch("the input of a run, an object", mapping.run.input, input);
  return { signal: null, run: { runId: runIdOf(request), input } };
}

type Signal = NonNullable<WebhookMapping["signal"]>;

/** Null: the body names no run, and is left to the run that it may start. */
async function planSignal(
  store: Store,
  signal: Signal,
  { mapping, body, isOwn }: PlanRequest,
): Promise<DeliveredSignal | null> {
  const { name } = signal;
  const isOptional = mapping.run !== null;
  const runId = idAt(body, signal.runId, { what: "the id of a run", isOptional });
  const correlationId = idAt(body, signal.correlationId, { what: "a correlation id", isOptional });
  if (runId === undefined || correlationId === undefined) return null;
  const data = signal.payload === null ? body : valueAt(body, signal.payload.path);
  if (data === undefined) throw mismatch("what is delivered", signal.payload, data);
  const runIds = runId === null ? await ownAwaiting(store, { name, correlationId }, isOwn) : [runId];
  if (runId !== null && !(await isOwn(await requireRun(store, runId)))) {
    throw new ServiceError("RUN_NOT_FOUND", `This webhook knows no run ${JSON.stringify(runId)}.`, {
      details: { runId },
    });
  }
  return { name, correlationId, runIds, data };
}

function nothingWaits(signal: DeliveredSignal | null): ServiceError {
  const { name = "", correlationId = null } = signal ?? {};
  const which = correlationId === null ? "" : ` with the correlation id ${JSON.stringify(correlationId)}`;
  return new ServiceError("NODE_NOT_WAITING", `No run waits for the signal ${name}${which}.`, {
    details: { signal: name, ...(correlationId !== null && { correlationId }) },
  });
}

async function ownAwaiting(
  store: Store,
  { name, correlationId }: { name: string; correlationId: string | null },
  isOwn: PlanRequest["isOwn"],
): Promise<string[]> {
  const runIds: string[] = [];
  for (const runId of await store.deliveries.awaiting(name, correlationId)) {
    const run = await store.getRun(runId);
    if (run !== undefined && (await isOwn(run))) runIds.push(runId);
  }
  return runIds;
}

/** Null without a path; undefined when there is nothing there, and there need not be. */
function idAt(
  body: unknown,
  path: BodyPath | null,
  { what, isOptional }: { what: string; isOptional: boolean },
): string | null | undefined {
  if (path === null) return null;
  const value = valueAt(body, path.path);
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" && Number.isFinite(value)) {
    // Numbers this large are rounded when JSON is read: the id would be that of others, too.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw rounded(what, path);
    return String(value);
  }
  if ((value === undefined || value === null) && isOptional) return undefined;
  throw mismatch(`${what}, a text or a number`, path, value);
}

function rounded(what: string, { text }: BodyPath): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `The body at ${text} should be ${what}; it is a number of more digits than JSON numbers keep. Send it as a text.`,
    { details: { path: text } },
  );
}

function mismatch(what: string, path: BodyPath | null, value: unknown): ServiceError {
  const where = path === null ? "The body" : `The body at ${path.text}`;
  const is =
    value === undefined
      ? "has nothing"
      : `is ${value === null ? "null" : Array.isArray(value) ? "a list" : typeof value}`;
  return new ServiceError("INVALID_INPUT", `${where} should be ${what}; it ${is}.`, {
    details: { path: path?.text ?? "$" },
  });
}

/** The same delivery is the same run, however often and by any process it is started. */
function runIdOf({ webhookKey, deliveryKey }: PlanRequest): string {
  return `webhook:${webhookKey}:${shortHash(`${webhookKey}\n${deliveryKey}`)}`;
}
