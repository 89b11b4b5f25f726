import { describe, expect, it } from "vitest";
import { createRedactor, REDACTED } from "../../../src/util/redactor.js";
import { secretsOf } from "../../../src/agents/process/secrets.js";
import { secretsOfEnvironment } from "../../../src/util/environment-secrets.js";

describe("secretsOf", () => {
  it.each([
    ["an API key", { apiKey: "very-secret-1" }],
    ["a variable with a telling name", { env: { GITHUB_TOKEN: "very-secret-1" } }],
    ["a variable whose value looks like one", { env: { SPECIAL: "very-secret-1" } }],
    [
      "a header of an MCP server",
      { mcpConfig: '{"s":{"headers":{"Authorization":"Bearer very-secret-1"}}}' },
    ],
    ["a variable of an MCP server", { mcpConfig: ['{"s":{"env":{"DB":"very-secret-1"}}}'] }],
    ["an override", { config: { "model_providers.x.api_key": "very-secret-1" } }],
    ["an override as text", { config: ["model_providers.x.bearer_token=very-secret-1"] }],
    ["an argument with its flag", { extraArgs: ["--token=very-secret-1"] }],
    ["an argument after its flag", { extraArgs: ["--api-key", "very-secret-1", "--other"] }],
  ])("finds %s", (_what, options) => {
    expect(secretsOf(options)).toContain("very-secret-1");
  });

  it.each([
    ["words and numbers", { env: { NODE_ENV: "production", DEBUG: "1", LEVEL: "very verbose" } }],
    ["paths", { env: { PATH: "/usr/bin:/bin", CONFIG: "/home/dev/.config" } }],
    ["addresses", { env: { BASE_URL: "http://127.0.0.1:9000/v1" } }],
    ["other options", { model: "claude-opus-4-8", systemPrompt: "Keep the key points." }],
  ])("leaves %s alone", (_what, options) => {
    expect(secretsOf(options)).toEqual([]);
  });

  it("takes an address with credentials for a secret", () => {
    const url = "postgres://dev:hunter22@db/app";
    expect(secretsOf({ env: { STORE: url } })).toContain(url);
  });

  it("knows inherited variables by their names", () => {
    const env = { OPENAI_API_KEY: "inherited-key-1", HOME: "/home/dev", SOME_TOKEN: "short" };
    expect(secretsOfEnvironment(env)).toEqual(["inherited-key-1"]);
  });

  it("knows the passwords of inherited addresses, unless they are plain words", () => {
    const env = {
      DATABASE_URL: "postgres://app:hunter2%21hunter@db:5432/app",
      HTTPS_PROXY: "http://dev:100%-sure@proxy",
      LOCAL_DB: "postgres://postgres:postgres@localhost/app",
      REMOTE: "https://example.com/a:b@c",
    };
    expect(secretsOfEnvironment(env)).toEqual(["hunter2%21hunter", "hunter2!hunter", "100%-sure"]);
  });
});

describe("a redactor", () => {
  it("removes secrets as they stand, in JSON and in addresses", () => {
    const redactor = createRedactor(['pa"ss/word 1']);
    const text = [
      `plain pa"ss/word 1`,
      JSON.stringify('pa"ss/word 1'),
      encodeURIComponent('pa"ss/word 1'),
    ].join(" | ");
    expect(redactor.text(text)).toBe(`plain ${REDACTED} | "${REDACTED}" | ${REDACTED}`);
  });

  it("leaves no rest of a secret that contains another", () => {
    expect(createRedactor(["secret", "secret-longer"]).text("a secret-longer b")).toBe(`a ${REDACTED} b`);
  });

  it("reaches into values and their names", () => {
    const value = { a: ["x secret-1"], "secret-1": { deep: "secret-1" }, n: 1, none: null };
    expect(createRedactor(["secret-1"]).value(value)).toEqual({
      a: [`x ${REDACTED}`],
      [REDACTED]: { deep: REDACTED },
      n: 1,
      none: null,
    });
  });

  it("looks for the shapes of credentials in one pass, however long a text is", () => {
    const text = ".key-".repeat(200_000);
    expect(createRedactor([]).diagnostic(text)).toBe(text);
    expect(secretsOf({ systemPrompt: "a-".repeat(500_000) })).toEqual([]);
  });

  it("takes the characters of a secret literally", () => {
    expect(createRedactor(["a.c+(d)"]).text("abc+(d) a.c+(d)")).toBe(`abc+(d) ${REDACTED}`);
  });

  it("also removes unknown credentials from diagnostics, but not from answers", () => {
    const redactor = createRedactor([]);
    expect(redactor.diagnostic("key sk-abcdefghijkl refused")).not.toContain("abcdefghijkl");
    expect(redactor.text("use a key-value-store")).toBe("use a key-value-store");
  });
});
