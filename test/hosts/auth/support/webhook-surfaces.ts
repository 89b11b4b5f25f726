import type { Gateway } from "../../../../src/hosts/gateway/index.js";
import { noting, signed } from "../../gateway/webhooks/support/hooks.js";
import { CASES, type Credentials } from "./credentials.js";
import type { Surface } from "./surface.js";

const BODY = '{"n":1}';
const HOOK_SECRET = "the secret of the webhook";

export function registerHook(gateway: Gateway, folder: string): void {
  gateway.register("hook", noting(folder), { webhook: { secret: HOOK_SECRET, run: { enabled: true } } });
}

/** The signature decides, and nothing else but the origin: tokens open no webhook, and it needs none. */
export function webhookSurfaces(url: string): Surface[] {
  const attempt = async ({ headers }: Credentials, signature: Record<string, string>) => {
    const response = await fetch(`${url}/webhooks/hook`, {
      method: "POST",
      headers: { ...headers, ...signature },
      body: BODY,
    });
    return { status: response.status, received: await response.text() };
  };
  const whatever = (status: number) => ({
    ...Object.fromEntries(CASES.map((name) => [name, status])),
    "wrong origin": 403,
  });
  const right = { "x-hub-signature-256": signed(BODY, HOOK_SECRET) };
  const wrong = { "x-hub-signature-256": signed(BODY, "another secret") };
  return [
    { name: "a webhook, unsigned", statuses: whatever(401), attempt: (sent) => attempt(sent, {}) },
    { name: "a webhook, signed by others", statuses: whatever(401), attempt: (sent) => attempt(sent, wrong) },
    { name: "a webhook, signed", statuses: whatever(200), attempt: (sent) => attempt(sent, right) },
  ] as Surface[];
}
