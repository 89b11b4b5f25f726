import { describe, expect, it } from "vitest";
import { areaOf } from "./house-plan.js";
import * as rules from "./import-rules.js";
import { parseSource } from "./source-file.js";

const file = (path: string, ...lines: string[]) => parseSource(path, lines.join("\n"));

describe("findUpwardImports", () => {
  it("accepts the own folder and lower ranks", () => {
    const good = file(
      "src/engine/run-loop.ts",
      'import { a } from "./frame.js";',
      'import { b } from "../store/contract.js";',
      'export { c } from "../util/clock.js";',
    );
    expect(rules.findUpwardImports([good])).toEqual([]);
  });

  it.each([
    ["a value", 'import { launch } from "../operations/launch-run.js";'],
    ["a type", 'import type { Launch } from "../operations/launch-run.js";'],
    ["a type inside an expression", 'export type L = import("../operations/launch-run.js").Launch;'],
    ["a re-export", 'export { launch } from "../operations/launch-run.js";'],
    ["a lazy import", 'export const load = () => import("../operations/launch-run.js");'],
    ["a side effect", 'import "../operations/launch-run.js";'],
  ])("finds %s from a higher rank", (_, line) => {
    expect(rules.findUpwardImports([file("src/engine/frame.ts", "", line)])).toEqual([
      expect.stringMatching(
        /^src\/engine\/frame\.ts:2 \(rank \d+\) imports src\/operations\/launch-run\.js \(rank \d+\)$/,
      ),
    ]);
  });

  it("finds an import of a folder of the same rank", () => {
    expect(rules.findUpwardImports([file("src/store/a.ts", 'import "../graph/b.js";')])).toHaveLength(1);
  });

  it("finds imports of the own package by its name", () => {
    const self = file(
      "src/store/a.ts",
      'import { z } from "treadle";',
      'import { y } from "treadle/server";',
    );
    expect(rules.findUpwardImports([self])).toHaveLength(2);
  });

  it("lets components use the JSX runtime, by path or by name", () => {
    const component = file("src/components/Task.tsx", 'import { jsx } from "treadle/jsx-runtime";');
    expect(rules.findUpwardImports([component])).toEqual([]);
  });

  it("finds imports of anything but code of the package", () => {
    const reaching = file(
      "src/cli/main.ts",
      'import "../../test/support/x.js";',
      'import "../../package.json";',
    );
    expect(rules.findUpwardImports([reaching])).toEqual([
      expect.stringMatching(/^src\/cli\/main\.ts:1 \(rank \d+\) imports test\/support\/x\.js \(no rank\)$/),
    ]);
  });

  it("finds files in folders that have no rank", () => {
    expect(rules.findUpwardImports([file("src/misc/a.ts", "")])).toEqual([
      "src/misc/a.ts: its folder has no rank",
    ]);
  });

  it("keeps the hosts apart and lets all of them use the common HTTP part", () => {
    expect(rules.findUpwardImports([file("src/hosts/server/a.ts", 'import "../http/errors.js";')])).toEqual(
      [],
    );
    expect(
      rules.findUpwardImports([file("src/hosts/server/a.ts", 'import "../gateway/rpc.js";')]),
    ).toHaveLength(1);
    expect(
      rules.findUpwardImports([file("src/hosts/http/a.ts", 'import "../server/routes.js";')]),
    ).toHaveLength(1);
    expect(areaOf("src/hosts/misc/a.ts")).toBeUndefined();
    expect(areaOf("src/hosts/entry.ts")?.name).toBe("src/hosts");
  });
});

describe("findImportCycles", () => {
  const a = file("src/graph/a.ts", 'import { b } from "./b.js";');
  const b = file("src/graph/b.ts", 'import type { C } from "./C.js";');
  const c = file("src/graph/C.tsx", 'import { a } from "./a.js";');

  it("finds a way round, also through types and components", () => {
    expect(rules.findImportCycles([a, b, c])).toEqual([
      "src/graph/a.ts -> src/graph/b.ts -> src/graph/C.tsx -> src/graph/a.ts",
    ]);
  });

  it("finds a file that imports itself", () => {
    expect(rules.findImportCycles([file("src/graph/a.ts", 'import "./a.js";')])).toHaveLength(1);
  });

  it("accepts that two files import a third", () => {
    const d = file("src/graph/d.ts", 'import "./b.js";', 'import "./e.js";');
    expect(rules.findImportCycles([b, d, file("src/graph/e.ts", 'import "./b.js";')])).toEqual([]);
  });
});

describe("findEscapedPackages", () => {
  it.each([
    ["src/engine/a.ts", 'import R from "react-reconciler";'],
    ["src/operations/a.ts", 'import { sql } from "drizzle-orm/sqlite-core";'],
    ["src/service/a.ts", 'import type { Database } from "better-sqlite3";'],
    ["src/service/a.ts", 'const { Pool } = await import("pg");'],
    ["src/client/a.ts", 'import { WebSocket } from "ws";'],
    ["src/cli/main.ts", 'import { build } from "esbuild";'],
    ["src/memory/store.ts", 'import { Effect } from "effect";'],
  ])("finds in %s: %s", (path, line) => {
    expect(rules.findEscapedPackages([file(path, line)])).toHaveLength(1);
  });

  it.each([
    ["src/renderer/host-config.ts", 'import R from "react-reconciler";'],
    ["src/store/sqlite/driver.ts", 'import Database from "better-sqlite3";'],
    ["src/hosts/server/app.ts", 'import { Hono } from "hono";'],
    ["src/loader/load-workflow.ts", 'import { build } from "esbuild";'],
    ["src/hosts/gateway/ui-bundler.ts", 'import { build } from "esbuild";'],
    ["src/memory/effect.ts", 'import { Effect } from "effect";'],
    ["src/engine/a.ts", 'import { webSocket } from "wsx";'],
  ])("accepts in %s: %s", (path, line) => {
    expect(rules.findEscapedPackages([file(path, line)])).toEqual([]);
  });
});

describe("findIslandImports", () => {
  it.each([
    ["src/scheduler/step.ts", 'import { z } from "zod";'],
    ["src/scheduler/step.ts", 'import { once } from "node:events";'],
    ["src/errors/codes.ts", 'import pc from "picocolors";'],
    ["src/util/clock.ts", 'import { createHash } from "node:crypto";'],
    ["src/util/hash.ts", 'import { readFileSync } from "node:fs";'],
    ["src/model/run.ts", 'import { readFileSync } from "node:fs";'],
  ])("finds in %s: %s", (path, line) => {
    expect(rules.findIslandImports([file(path, line)])).toHaveLength(1);
  });

  it.each([
    ["src/util/hash.ts", 'import { createHash } from "node:crypto";'],
    ["src/model/run.ts", 'import { z } from "zod";'],
    ["src/engine/frame.ts", 'import { once } from "node:events";'],
    ["src/scheduler/step.ts", 'import { Heap } from "../util/heap.js";'],
  ])("accepts in %s: %s", (path, line) => {
    expect(rules.findIslandImports([file(path, line)])).toEqual([]);
  });
});

describe("findUndeclaredPackages", () => {
  it("finds packages that are loaded at run time, at once or lazily", () => {
    const loading = file("src/store/a.ts", 'import a from "left";', 'const b = import("@scope/right/part");');
    expect(rules.findUndeclaredPackages([loading], ["other"])).toEqual([
      "src/store/a.ts:1 imports left",
      "src/store/a.ts:2 imports @scope/right",
    ]);
  });

  it("accepts declared packages, built-in modules, and types", () => {
    const good = file(
      "src/store/a.ts",
      'import a from "@scope/right/part";',
      'import fs from "node:fs/promises";',
      'import type { T } from "left";',
    );
    expect(rules.findUndeclaredPackages([good], ["@scope/right"])).toEqual([]);
  });
});

describe("findImportsPastDoors", () => {
  it("accepts the index, the own folder, lazy imports and folders without a door", () => {
    const good = file(
      "src/operations/cancel-run.ts",
      'import { resumeRun } from "../engine/index.js";',
      'import { requireRun } from "./request/require-run.js";',
      'import { taskKey } from "../model/address.js";',
      'export const load = () => import("../engine/drive/resume-run.js");',
    );
    expect(rules.findImportsPastDoors([good])).toEqual([]);
  });

  it.each([
    ["a value", 'import { resumeRun } from "../engine/drive/resume-run.js";'],
    ["a type", 'import type { ResumeRequest } from "../engine/drive/resume-run.js";'],
    ["a re-export", 'export { resumeRun } from "../engine/drive/resume-run.js";'],
  ])("finds %s of a file behind the index", (_, line) => {
    expect(rules.findImportsPastDoors([file("src/operations/cancel-run.ts", line)])).toEqual([
      "src/operations/cancel-run.ts:1 imports src/engine/drive/resume-run.js",
    ]);
  });
});
