import { createHmac } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { createService, type ServiceWorkflow } from "../../../../../src/index.js";
import type { OpenGateway } from "../../support/gateway.js";

export const SECRET = "It's a Secret to Everybody";

export function signed(body: string | Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export interface HookAnswer {
  status: number;
  body: Record<string, unknown> & { error?: { code: string; message: string; details?: object } };
}

/** Posts a body with its signature; headers replace what is sent else, undefined takes it away. */
export async function post(
  { url }: Pick<OpenGateway, "url">,
  path: string,
  { body, headers = {} }: { body: unknown; headers?: Record<string, string | undefined> },
): Promise<HookAnswer> {
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const all = { "content-type": "application/json", "x-hub-signature-256": signed(text), ...headers };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(`${url}/webhooks/${path}`, { method: "POST", headers: sent, body: text });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Ends at once; its row says what it was given and who started it. */
export function noting(folder: string): ServiceWorkflow {
  const { Workflow, Task, service, outputs } = createService(
    { input: z.object({ n: z.number() }), output: z.object({ n: z.number(), by: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  return service((ctx) => (
    <Workflow name="note">
      <Task id="note" output={outputs.output}>
        {() => ({ n: ctx.input.n, by: JSON.stringify(ctx.auth) })}
      </Task>
    </Workflow>
  )) as unknown as ServiceWorkflow;
}

/** Waits for the payment of its order; any order where the input names none. */
export function ordering(folder: string, { name = "order" } = {}): ServiceWorkflow {
  const { Workflow, WaitForEvent, service, outputs } = createService(
    { input: z.object({ order: z.string().optional() }), output: z.object({ amount: z.number() }) },
    { dbPath: join(folder, "service.db") },
  );
  return service((ctx) => (
    <Workflow name={name}>
      <WaitForEvent
        id="payment"
        event="paid"
        output={outputs.output}
        {...(ctx.input.order === undefined ? {} : { correlationId: ctx.input.order })}
      />
    </Workflow>
  )) as unknown as ServiceWorkflow;
}
