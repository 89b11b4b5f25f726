import { expect, it } from "vitest";
import { connectionSecrets, secretsIn } from "../../src/agents/sdk/known-secrets.js";
import { createRedactor } from "../../src/util/redactor.js";
import { secretsOf } from "../../src/agents/process/secrets.js";
import { StreamReport } from "../../src/agents/sdk/stream-events.js";

const KEY = "planted-key-0123456789";

it.each<[string, unknown]>([
  ["a cookie", { headers: { cookie: `theme=dark; session=${KEY}` } }],
  ["the password of a URL", { env: { SERVICE_URL: `https://bob:${KEY}@host.example/x` } }],
  ["the password of a database", { args: [`--url=postgres://bob:${KEY}@host/db`] }],
  ["the user part of a URL", { baseURL: `https://${KEY}@gateway.example` }],
  ["the key of a base URL", { baseURL: `https://gateway.example/v1?api_key=${KEY}` }],
  ["an encoded password", { url: `https://bob:${encodeURIComponent(`${KEY}/+`)}@host.example` }],
])("%s is known as a secret", (_what, options) => {
  const { text } = createRedactor(secretsOf(options));
  expect(text(`it says ${KEY}${_what === "an encoded password" ? "/+" : ""} here`)).not.toContain(KEY);
});

it("the base URL and the cookies of an SDK agent are known as secrets", async () => {
  const secrets = [
    ...connectionSecrets(undefined, `https://gw.example/?token=${KEY}1`),
    ...(await secretsIn({ model: "m", headers: { cookie: `s=${KEY}2` } })),
  ];
  expect(createRedactor(secrets).text(`${KEY}1 ${KEY}2`)).not.toContain(KEY);
});

it("a key that a model repeats in pieces is in no event and on no output", () => {
  const events: unknown[] = [];
  const printed: string[] = [];
  const redactor = createRedactor([KEY]);
  const report = new StreamReport(
    "sdk",
    { onEvent: (event) => events.push(event), onStdout: (text) => printed.push(text) },
    () => redactor,
  );
  const say = (text: string) => report.part({ type: "text-delta", id: "1", text } as never);
  for (const character of `${"x".repeat(300)} key ${KEY} and ${KEY}.\n${"y".repeat(300)}`) say(character);
  report.part({ type: "text-end", id: "1" } as never);
  report.part({ type: "tool-call", toolCallId: "t", toolName: "n", input: { [KEY]: KEY } } as never);
  expect(JSON.stringify(events) + printed.join("")).not.toContain(KEY);
  expect(printed.join("")).toBe(`${"x".repeat(300)} key [redacted] and [redacted].\n${"y".repeat(300)}`);
});
