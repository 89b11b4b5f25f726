import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { errorDocument, errorText } from "../../../src/cli/output/error-report.js";
import { serializedErrorLine } from "../../../src/cli/output/thrown-text.js";
import { placeText, sourcePlaces } from "../../../src/loader/source-place.js";
import { ServiceError } from "../../../src/errors/service-error.js";

const text = (error: unknown, showStack = false) =>
  errorText(error, {
    colors: createColors(false),
    showStack,
    commandText: (command) => `${command} --db other.db`,
  });

describe("an error as a document", () => {
  it("has code, summary, message, link, details and what to do", () => {
    const error = new ServiceError("RUN_NOT_FOUND", "There is no run x.", { details: { run: "x" } });
    expect(errorDocument(error)).toEqual({
      ok: false,
      error: {
        code: "RUN_NOT_FOUND",
        summary: "There is no run x.",
        message: expect.stringMatching(/^There is no run x\. .*treadle ps/),
        docsUrl: expect.stringMatching(/#run_not_found$/),
        details: { run: "x" },
        remedy: { action: "list-runs" },
      },
    });
  });

  it("is made of anything that was thrown", () => {
    expect(errorDocument(new TypeError("boom"))).toMatchObject({
      error: { code: "INTERNAL_ERROR", summary: "TypeError: boom", details: {} },
    });
    expect(errorDocument("just text")).toMatchObject({ error: { code: "INTERNAL_ERROR" } });
  });
});

it("names a package that the library needs and that is not installed, as peers may be", () => {
  const library = fileURLToPath(new URL("../../../dist/src/chunks/library.node.js", import.meta.url));
  const notFound = (importer: string) =>
    Object.assign(new Error(`Cannot find package 'zod' imported from ${importer}`), {
      code: "ERR_MODULE_NOT_FOUND",
    });
  expect(errorDocument(notFound(library))).toMatchObject({
    error: { code: "PACKAGE_MISSING", message: expect.stringMatching(/package zod.*npm i react zod/) },
  });
  expect(errorDocument(notFound("/elsewhere/flow.js"))).toMatchObject({ error: { code: "INTERNAL_ERROR" } });
});

describe("an error for people", () => {
  it("says what happened, where in the user's code (here: this test), what to do next and where to read on", () => {
    const lines = text(new ServiceError("CLI_USAGE", "No such flag.")).split("\n");
    expect(lines[0]).toBe("error CLI_USAGE No such flag.");
    const labels = lines.slice(1).map((line) => /^ {2}(\w+) /.exec(line)?.[1]);
    expect(labels.filter((label) => label !== undefined)).toEqual(["at", "next", "docs"]);
    expect(lines.find((line) => line.startsWith(`${" ".repeat(8)}>`))).toContain('"No such flag."');
  });

  it("gives the very command that does what it says, as this call has to type it", () => {
    const details = { runId: "k1", changes: [] };
    const lines = text(new ServiceError("RESUME_METADATA_MISMATCH", "It changed.", { details })).split("\n");
    expect(lines).toContain("  fix   treadle up --resume k1 --accept-workflow-change --db other.db");
  });

  it("names the root of its causes, unless it has said so already", () => {
    const root = new Error("the disk is full");
    const wrapped = new Error("could not write", { cause: root });
    expect(text(new ServiceError("STORAGE_ERROR", "It failed.", { cause: wrapped }))).toMatch(
      /cause the disk is full/,
    );
    const repeating = new ServiceError("STORAGE_ERROR", "It failed: the disk is full.", { cause: root });
    expect(text(repeating)).not.toMatch(/^ *cause/m);
  });

  it("shows its stack only when asked", () => {
    const error = new Error("boom");
    expect(text(error)).not.toMatch(/^ {4}at /m);
    expect(text(error, true)).toMatch(/^ {4}at /m);
  });
});

describe("the error of a row on one line", () => {
  it("starts with its code, else its name", () => {
    expect(
      serializedErrorLine({ name: "ServiceError", code: "TASK_TIMEOUT", message: "m n", summary: "m" }),
    ).toBe("TASK_TIMEOUT: m");
    expect(serializedErrorLine({ name: "TypeError", message: "a\n  b" })).toBe("TypeError: a b");
  });
});

describe("places in the user's files", () => {
  const withStack = (message: string, frames: string[], cause?: unknown) =>
    Object.assign(new Error(message, { cause }), { stack: [`Error: ${message}`, ...frames].join("\n") });

  it("leave out packages, Node and the library, and are relative to the folder of the call", () => {
    const error = withStack("boom", [
      "    at helper (/work/node_modules/pack/index.js:1:2)",
      "    at async node:internal/process/task_queues:95:5",
      "    at Object.run (file:///work/flows/my%20flow.tsx:12:3)",
      "    at /work/lib/part.ts:4:5",
    ]);
    expect(sourcePlaces(error, "/work").map(placeText)).toEqual([
      "flows/my flow.tsx:12:3",
      "lib/part.ts:4:5",
    ]);
  });

  it("begin with those of the innermost cause", () => {
    const cause = withStack("inner", ["    at f (/work/inner.ts:1:1)"]);
    const error = withStack("outer", ["    at g (/work/outer.ts:2:2)"], cause);
    expect(sourcePlaces(error, "/work").map(placeText)).toEqual(["inner.ts:1:1", "outer.ts:2:2"]);
  });

  it("are none for what is not an error", () => {
    expect(sourcePlaces("text")).toEqual([]);
  });
});
