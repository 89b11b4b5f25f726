import { expect, it } from "vitest";
import { redactShapes } from "../../src/util/credential-shapes.js";

// Put together here, so that no scanner of this repository takes them for real ones.
const A = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hJ3kL6";
const CREDENTIALS = {
  google: `AIza${A.slice(0, 35)}`,
  "google OAuth": `ya29.${A}`,
  "github classic": `ghp_${A}`,
  "github app": `ghs_${A}`,
  "github fine-grained": `github_pat_${A.slice(0, 22)}_${A}`,
  "slack bot": `xoxb-123456789012-${A.slice(0, 24)}`,
  "slack user": `xoxp-123456789012-${A.slice(0, 24)}`,
  "aws id": "AKIAQ3EGR7K2M5N8P1ST",
  "aws session id": "ASIAQ3EGR7K2M5N8P1ST",
  gitlab: `glpat-${A.slice(0, 20)}`,
  npm: `npm_${A}`,
  "hugging face": `hf_${A.slice(0, 34)}`,
  pypi: `pypi-AgEIcHlwaS5vcmc${A}`,
  sendgrid: `SG.${A.slice(0, 22)}.${A}`,
  stripe: `sk_live_${A.slice(0, 24)}`,
  openai: `sk-proj-${A}`,
  "a JSON Web Token": `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.${A}`,
  "a private key": `-----BEGIN RSA PRIVATE KEY-----\n${A}\n${A}\n-----END RSA PRIVATE KEY-----`,
};

it.each(Object.entries(CREDENTIALS))(
  "the credential of %s is taken out wherever it stands",
  (_of, secret) => {
    for (const text of [
      secret,
      `key ${secret} refused`,
      `"${secret}",`,
      `at=${secret};x`,
      `(${secret})`,
      `https://h/${secret}/x`,
    ]) {
      const clean = redactShapes(text);
      expect(clean).toContain("[redacted]");
      expect(clean).not.toContain(A.slice(0, 16));
      expect(clean).not.toContain(secret);
    }
  },
);

it.each([
  ["postgres://app:hunter2@db:5432/app", "postgres://app:[redacted]@db:5432/app"],
  ["redis://:p@ss@cache", "redis://:[redacted]@cache"],
  ["https://h/v1?key=abc&x=1", "https://h/v1?key=[redacted]&x=1"],
  ["https://h/o?x=1&X-Amz-Signature=ab12#top", "https://h/o?x=1&X-Amz-Signature=[redacted]#top"],
])("of %s only the secret goes", (address, clean) => {
  expect(redactShapes(`cannot reach "${address}" today`)).toBe(`cannot reach "${clean}" today`);
});

it.each([
  "src/sk-utils-and-more.ts:12:4",
  "the task-abcdef and pk-helpers",
  "key-value-store",
  "npm_config_registry",
  "hf_transformers",
  "https://example.com:8080/a@b?page=2",
  "a@b.example, c:d@e",
  "commit 4f1c9a7d0e8b6a5c3d2e1f0a9b8c7d6e5f4a3b2c",
  "run 0190f5a3-7c1e-7000-8000-000000000001",
  "AKIA is a prefix",
])("ordinary text stays: %s", (text) => {
  expect(redactShapes(text)).toBe(text);
});

it.each([
  "eyJ".repeat(100_000),
  "eyJaaaaaaaaa.".repeat(50_000),
  "sk-".repeat(200_000),
  "://a:".repeat(100_000),
  "-----BEGIN PRIVATE KEY-----".repeat(5_000),
  "?key".repeat(100_000),
])("a hostile text takes one pass: %#", (text) => {
  expect(typeof redactShapes(text)).toBe("string");
});
