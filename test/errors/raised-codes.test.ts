import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { errorFamilies } from "../../src/errors/codes.js";
import { serviceMetrics } from "../../src/metrics/catalog.js";

/** Codes of the interface whose feature is still to come. */
const AWAITED = words(`
  ACCOUNT_DUPLICATE_LABEL ACCOUNT_INVALID ACCOUNT_NOT_FOUND ACCOUNTS_FILE_INVALID APPROVAL_OUTSIDE_TASK
  ENGINE_HTTP_ERROR MISSING_INPUT_TABLE RUN_RESUME_ACTIVATION_FAILED
  SCHEMA_DISCOVERY_FAILED SESSION_ERROR
`);

function words(text: string): string[] {
  return text.trim().split(/\s+/).sort();
}

const root = new URL("../..", import.meta.url).pathname;
const files = globSync(["src/**/*.{ts,tsx}", "jsx-runtime/*.ts"], {
  cwd: root,
  ignore: ["src/errors/codes/**", "src/metrics/catalog/**"],
  absolute: true,
});
const code = files.map((path) => readFileSync(path, "utf8")).join("\n");
const codes = Object.values(errorFamilies).flatMap((family) => Object.keys(family));

it("every code of the error reference is raised somewhere, or awaited by name", () => {
  const silent = codes.filter((name) => !new RegExp(`["'\`]${name}["'\`]`).test(code));
  expect(silent.sort()).toEqual(AWAITED);
});

it("every metric of the catalog is recorded somewhere", () => {
  const silent = Object.keys(serviceMetrics).filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(silent).toEqual([]);
});

it("every declared event is emitted somewhere", () => {
  const isDeclaration = (path: string) => path.includes("/src/model/events/");
  const read = (paths: string[]) => paths.map((path) => readFileSync(path, "utf8")).join("\n");
  const declared = [...read(files.filter(isDeclaration)).matchAll(/defineEvent\(\s*"(\w+)"/g)];
  const others = read(files.filter((path) => !isDeclaration(path)));
  expect(declared.length).toBeGreaterThan(0);
  const silent = declared.map(([, type]) => String(type)).filter((type) => !others.includes(`"${type}"`));
  expect(silent).toEqual([]);
});

it("every package that an installation brings is imported", () => {
  const { dependencies } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const unused = Object.keys(dependencies).filter(
    (name) => !new RegExp(`["']${name}(?:/[^"']*)?["']`).test(code),
  );
  expect(unused).toEqual([]);
});
