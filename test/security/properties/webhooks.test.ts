import { Nudge } from "../../../src/util/nudge.js";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkGatewayOptions } from "../../../src/hosts/gateway/check-gateway-options.js";
import { checkRegistration } from "../../../src/hosts/gateway/check-registration.js";
import { createAuthenticator } from "../../../src/hosts/gateway/auth/authenticator.js";
import { AgentChecks } from "../../../src/hosts/gateway/agent-checks.js";
import { Extensions } from "../../../src/hosts/gateway/extensions.js";
import { createGatewayApp } from "../../../src/hosts/gateway/gateway-app.js";
import { GatewayWorkspace } from "../../../src/hosts/gateway/workspace.js";
import { parseJsonPath, valueAt } from "../../../src/util/json-path.js";
import { systemClock } from "../../../src/util/clock.js";
import { noting } from "../../hosts/gateway/webhooks/support/hooks.js";
import fc, { propertyRuns } from "../../support/property-tests.js";

const SECRET = "a secret";
const LARGEST_BODY = 2_000;

let folder: string;
let workspace: GatewayWorkspace;
let app: Hono;
const failures: Error[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-webhooks-"));
  workspace = new GatewayWorkspace({ root: folder, clock: systemClock, onError: () => {} });
  const signal = {
    name: "paid",
    correlationIdPath: "$.order.id",
    runIdPath: "run[0]",
    payloadPath: "$['data']",
  };
  const webhook = { secret: SECRET, signal, run: { enabled: true, inputPath: "$.input" } };
  const workflow = noting(folder);
  workspace.add("note", workflow, checkRegistration("note", workflow, { webhook }));
  await workspace.open();
  app = createGatewayApp({
    options: checkGatewayOptions({ maxBodyBytes: LARGEST_BODY }),
    authenticator: createAuthenticator(undefined, () => Date.now()),
    workspace,
    extensions: new Extensions(),
    signal: new AbortController().signal,
    schedulesChanged: new Nudge(),
    agentChecks: new AgentChecks(systemClock),
    onFailure: (error) => failures.push(error),
  });
});

afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const deliveries = async () => workspace.workflow("note").db.store.deliveries.list({ limit: 5 });

interface Sent {
  path: string;
  body: Uint8Array;
  headers: Record<string, string>;
}

async function send({ path, body, headers }: Sent): Promise<{ status: number; text: string }> {
  const init = {
    method: "POST",
    headers: headersOf(headers),
    body: body.length === 0 ? null : Buffer.from(body),
  };
  const response = await app.fetch(new Request(`http://127.0.0.1/webhooks/${path}`, init));
  return { status: response.status, text: await response.text() };
}

/** What a header cannot hold never gets as far as the gateway. */
function headersOf(given: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value);
    } catch {
      // Refused by the parser of HTTP.
    }
  }
  return headers;
}

function signatureOf(body: Uint8Array): string {
  return `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
}

const paths = fc.oneof(
  { weight: 4, arbitrary: fc.constant("note") },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }).map(encodeURIComponent) },
  fc.constantFrom(
    "",
    "%",
    "%00",
    "..%2fnote",
    "note/",
    "note%2f..",
    "NOTE",
    "__proto__",
    "constructor",
    "note?x=1",
  ),
);

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text.slice(0, -1))),
  fc.constantFrom(
    Buffer.alloc(LARGEST_BODY + 1, 32),
    Buffer.from("[".repeat(900) + "]".repeat(900)),
    Buffer.from('{"__proto__":{"order":{"id":1}}}'),
    Buffer.from("\uFEFF{}"),
    Buffer.from("1e999"),
    Buffer.from('{"order":{"id":1e999}}'),
  ),
);

const leaves = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, "", "7", 7, -0, 1e300, "\u0000", "\ud800", "x".repeat(300), {}, []),
);

/** What has some of the members that the webhook reads. */
const shaped = fc
  .record(
    {
      order: fc.record({ id: leaves }, { requiredKeys: [] }),
      run: fc.array(leaves),
      data: leaves,
      input: leaves,
    },
    { requiredKeys: [] },
  )
  .map((value) => Buffer.from(JSON.stringify(value)));

const ids = fc.option(fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom("a", "b")), { nil: undefined });

it("nothing that is not signed is acted upon, written down or distinguished from an unknown key", async () => {
  const signatures = fc.oneof(
    fc.string({ maxLength: 90 }),
    fc.constantFrom("sha256=", `sha256=${"0".repeat(64)}`, `sha256=${"g".repeat(64)}`, "sha1=00"),
    bytes.map(signatureOf),
  );
  await fc.assert(
    fc.asyncProperty(paths, bytes, signatures, ids, async (path, body, signature, id) => {
      const headers = { "x-hub-signature-256": signature, ...(id !== undefined && { "x-delivery-id": id }) };
      // By chance it may be the right one.
      fc.pre(signature !== signatureOf(body));
      const { status, text } = await send({ path, body, headers });
      expect([401, 404, 413]).toContain(status);
      expect(text).not.toContain(SECRET);
    }),
    propertyRuns(1_000),
  );
  expect(await deliveries()).toEqual([]);
  expect(failures).toEqual([]);
});

it("whatever is signed is acted upon or refused with a code of the caller's own fault", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, shaped, shaped), ids, async (body, id) => {
      const headers = {
        "x-hub-signature-256": signatureOf(body),
        ...(id !== undefined && { "x-delivery-id": id }),
      };
      const { status, text } = await send({ path: "note", body, headers });
      expect([200, 400, 404, 409, 413], text).toContain(status);
      if (status !== 200) expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) } });
    }),
    propertyRuns(1_000),
  );
  expect(failures).toEqual([]);
});

it("a path is read or is none, and finds nothing but what a value has", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.stringMatching(/^\$?([.[\]'"\w\\$*?@]|\['a'\]|\[0\]){0,20}$/),
      ),
      fc.jsonValue(),
      (text, value) => {
        const path = parseJsonPath(text);
        if (path === undefined) return;
        const found = valueAt(value, path);
        expect(typeof found).not.toBe("function");
        expect(["undefined", "string"]).toContain(typeof JSON.stringify(found));
      },
    ),
    propertyRuns(2_000),
  );
});
