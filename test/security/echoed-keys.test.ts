import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/util/redactor.js";
import { secretsOf } from "../../src/agents/process/secrets.js";
import { createOpenApiToolsSync } from "../../src/openapi/index.js";
import { createHttpTool } from "../../src/tools/index.js";
import { CompatAgent } from "../../src/agents/sdk/compat-agent.js";
import { startModelServer } from "../support/model-server/index.js";
import { loopbackServer } from "../tools/support/loopback-server.js";

const KEY = "pl4nted/k+y=01&2<3é";

/** How a service, or a model, may spell a key that it repeats. */
const SPELLINGS: [string, (key: string) => string][] = [
  ["as it stands", (key) => key],
  ["in JSON", (key) => JSON.stringify({ key })],
  ["in JSON with escaped slashes", (key) => JSON.stringify({ key }).replaceAll("/", "\\/")],
  ["in JSON for a web page", (key) => key.replace(/[<&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
  ["in an address", (key) => `https://x.example/?k=${encodeURIComponent(key)}`],
  ["in a form", (key) => new URLSearchParams({ key }).toString()],
  [
    "in an address, in small letters",
    (key) => encodeURIComponent(key).replace(/%../g, (c) => c.toLowerCase()),
  ],
  ["in base64", (key) => Buffer.from(key).toString("base64")],
  ["in base64 for addresses", (key) => Buffer.from(key).toString("base64url")],
  ["as the password of Basic credentials", (key) => `Basic ${Buffer.from(`bob:${key}`).toString("base64")}`],
  ["as the password of another user", (key) => `Basic ${Buffer.from(`b:${key}`).toString("base64")}`],
  ["as the user of Basic credentials", (key) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
];

/** Whether a reader of the text could still get at the key, or at most of it. */
function gives(text: string): boolean {
  const decoded = [
    text,
    ...[...text.matchAll(/[\w+/-]{8,}/g)].map(([word]) => Buffer.from(word, "base64").toString("latin1")),
    text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => safely(() => decodeURIComponent(run), run)),
    text.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    text.replaceAll("\\", ""),
  ];
  return decoded.some((one) => one.includes(KEY.slice(3, -3)));
}

function safely(work: () => string, otherwise: string): string {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

it.each(SPELLINGS)("a text that spells a key %s does give it away without redaction", (_how, spell) => {
  expect(gives(spell(KEY))).toBe(true);
});

describe.each(SPELLINGS)("a key that is repeated %s", (_how, spell) => {
  it("is not in what an agent says", () => {
    const { text } = createRedactor(secretsOf({ apiKey: KEY }));
    expect(gives(text(`before ${spell(KEY)} after`))).toBe(false);
  });

  it.each(["application/json", "text/plain"])("is not in the answer of the HTTP tool: %s", async (type) => {
    const server = await loopbackServer((_, response) => {
      response.setHeader("content-type", type);
      response.end(type === "text/plain" ? spell(KEY) : JSON.stringify({ [spell(KEY)]: [spell(KEY)] }));
    });
    const { tool } = {
      tool: createHttpTool({
        allowedOrigins: [server.url],
        defaultHeaders: { authorization: `Basic ${Buffer.from(`bob:${KEY}`).toString("base64")}` },
      }),
    };
    expect(gives(JSON.stringify(await tool.execute({ url: server.url })))).toBe(false);
  });

  it.each([200, 400])("is not in the answer of an OpenAPI tool with status %s", async (status) => {
    const server = await loopbackServer((_, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ said: spell(KEY) }));
    });
    const tool = createOpenApiToolsSync(
      {
        openapi: "3.0.0",
        info: { title: "t", version: "1" },
        paths: { "/me": { get: { operationId: "me", responses: {} } } },
      },
      { baseUrl: server.url, auth: { type: "basic", username: "bob", password: KEY } },
    )["me"];
    expect(gives(JSON.stringify(await tool?.execute({})))).toBe(false);
  });
});

it("a key that the cut of a long answer splits is not there in part either", async () => {
  const key = "planted-key-0123456789";
  const server = await loopbackServer((_, response) => response.end(`${"x".repeat(199_990)}${key}`));
  const tool = createHttpTool({ allowedOrigins: [server.url], defaultHeaders: { "x-api-key": key } });
  const { body } = await tool.execute({ url: server.url });
  expect(body).not.toContain("planted");
});

it("a key that the model of an SDK agent repeats in base64 is not in its answer", async () => {
  const key = "planted-key-0123456789";
  const server = await startModelServer(() => ({ text: `Your key: ${Buffer.from(key).toString("base64")}` }));
  const agent = new CompatAgent({ baseURL: server.baseURL, apiKey: key });
  const answer = await agent.generate({ prompt: "Say it." }).finally(() => server.close());
  expect(JSON.stringify(answer)).toContain("Your key: [redacted]");
});
