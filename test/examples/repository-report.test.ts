import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import report from "../../examples/02-repository-report.js";
import { folderWith } from "./support/folder.js";

const MARK = ["TO", "DO"].join("");

/** Runs the report on a folder and reads what it wrote. */
async function reportOn(root: string) {
  const out = join(folderWith({}), "report.md");
  const run = testWorkflow(report, { input: { root, out } });
  const result = await run.run();
  const tasks = await run.tasks();
  return { result, tasks, markdown: result.status === "finished" ? readFileSync(out, "utf8") : "" };
}

test("counts files and lines per language", async () => {
  const root = folderWith({
    "src/a.ts": "one\n\nthree\n",
    "src/b.tsx": "one",
    "main.py": "x\ny\n",
    Makefile: "all:\n",
  });
  const { result, markdown } = await reportOn(root);
  expect(result.output).toMatchObject({ files: 4, lines: 7, marks: 0 });
  expect(markdown).toContain("| TypeScript | 2 | 4 | 1 | 57.1 % |");
  expect(markdown).toContain("| Python | 1 | 2 | 0 |");
  expect(markdown).toContain("| Makefile | 1 | 1 | 0 |");
});

test("lists the largest files first", async () => {
  const { markdown } = await reportOn(folderWith({ "small.txt": "a", "large.txt": "a".repeat(3000) }));
  expect(markdown.indexOf("| `large.txt` | 2.9 KiB |")).toBeGreaterThan(0);
  expect(markdown.indexOf("| `small.txt` | 1 B |")).toBeGreaterThan(markdown.indexOf("large.txt"));
});

test("lists what was put off, with the files that have most of it", async () => {
  const root = folderWith({
    "a.js": `run(); // ${MARK}: handle | pipes\n`,
    "b.js": `// ${MARK} one\n// ${MARK} two\n`,
  });
  const { result, markdown } = await reportOn(root);
  expect(result.output).toMatchObject({ marks: 3 });
  expect(markdown).toContain(`- \`a.js:1\` \`${MARK}: handle   pipes\``);
  expect(markdown.indexOf("| `b.js` | 2 |")).toBeLessThan(markdown.indexOf("| `a.js` | 1 |"));
});

test("reads one task per batch of files", async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}.txt`, "line\n"]));
  const { result, tasks } = await reportOn(folderWith(files));
  const batches = tasks.filter(({ nodeId }) => nodeId.startsWith("batch-"));
  expect(batches).toHaveLength(3);
  expect(batches.every(({ state, attempts }) => state === "finished" && attempts === 1)).toBe(true);
  expect(result.output).toMatchObject({ files: 60, lines: 60 });
});

test("leaves out version control, installed packages and links", async () => {
  const root = folderWith({ "a.txt": "a", ".git/config": "x", "node_modules/m/index.js": "x" });
  symlinkSync(join(root, "a.txt"), join(root, "link.txt"));
  symlinkSync(root, join(root, "loop"));
  expect((await reportOn(root)).result.output).toMatchObject({ files: 1 });
});

test("weighs binary and huge files without reading them as text", async () => {
  const root = folderWith({
    "image.png": new Uint8Array([137, 80, 78, 71, 0, 1, 2]),
    "huge.log": "line\n".repeat(600_000),
    "broken.txt": new Uint8Array([255, 254, 65, 10]),
  });
  const { result, markdown } = await reportOn(root);
  expect(result.output).toMatchObject({ files: 3, lines: 1 });
  expect(markdown).toContain("2 files are binary or too large to read.");
});

test("survives names that would break a table", async () => {
  const { result, markdown } = await reportOn(folderWith({ "a|b`c\nd.txt": "x\n" }));
  expect(result.status).toBe("finished");
  expect(markdown).toContain("| `a b c d.txt` | 2 B |");
});

test.skipIf(process.getuid?.() === 0)("names files that may not be read", async () => {
  const root = folderWith({ "secret.txt": "x", "open.txt": "x" });
  chmodSync(join(root, "secret.txt"), 0);
  const { result, markdown } = await reportOn(root);
  expect(result.status).toBe("finished");
  expect(markdown).toContain("Could not be read: `secret.txt`.");
});

test("takes the licences from an npm lock file, else from what is installed", async () => {
  const lock = {
    packages: {
      "": { name: "mine" },
      "node_modules/a": { license: "MIT" },
      "node_modules/a/node_modules/b": { license: "ISC" },
      "node_modules/c": {},
      "node_modules/d": {},
    },
  };
  const root = folderWith({
    "package-lock.json": JSON.stringify(lock),
    "node_modules/c/package.json": '{"license":{"type":"Apache-2.0"}}',
  });
  const { markdown } = await reportOn(root);
  for (const licence of ["MIT", "ISC", "Apache-2.0", "not stated"]) {
    expect(markdown).toContain(`| ${licence} | 1 |`);
  }
});

test("takes the licences of other lock files from where they can be known", async () => {
  const root = folderWith({
    "web/yarn.lock": "# yarn lockfile v1\n",
    "web/node_modules/@scope/e/package.json": '{"license":"0BSD"}',
    "php/composer.lock": '{"packages":[{"name":"v/p","license":["MIT","GPL-3.0"]}]}',
    "Cargo.lock": '[[package]]\nname = "serde"\nversion = "1.0.0"\n',
  });
  const { markdown } = await reportOn(root);
  for (const licence of ["0BSD", "MIT OR GPL-3.0", "not stated"]) {
    expect(markdown).toContain(`| ${licence} | 1 |`);
  }
});

test("does without licences where there is no lock file, and with a broken one", async () => {
  const without = await reportOn(folderWith({ "a.txt": "a" }));
  expect(without.markdown).toContain("There is no lock file.");
  expect(without.tasks.map(({ nodeId }) => nodeId)).not.toContain("licences");
  const broken = await reportOn(folderWith({ "package-lock.json": "{" }));
  expect(broken.result.status).toBe("finished");
});

test("reports on an empty folder", async () => {
  const { result, markdown } = await reportOn(folderWith({}));
  expect(result.output).toMatchObject({ files: 0, lines: 0 });
  expect(markdown).toContain("0 files, 0 B, 0 lines of text.");
});

test("fails at once for a folder that does not exist", async () => {
  const { result, tasks } = await reportOn("/no/such/folder");
  expect(result.status).toBe("failed");
  expect(result.error?.message).toContain("/no/such/folder");
  expect(tasks.find(({ nodeId }) => nodeId === "scan")).toMatchObject({ state: "failed", attempts: 1 });
});
