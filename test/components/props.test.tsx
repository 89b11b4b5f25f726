import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { components, type ServiceComponents } from "../../src/components/components.js";
import type { SchemaMap } from "../../src/model/schema.js";
import { statedDefaults } from "../support/architecture/option-defaults.js";
import { readSources } from "../support/architecture/source-file.js";
import { controlTables } from "../support/props/control.js";
import { compareFrames, type PropTable } from "../support/props/prop-table.js";
import { patternTables } from "../support/props/patterns.js";
import { structureTables } from "../support/props/structure.js";
import { taskTables } from "../support/props/tasks.js";
import { waitTables } from "../support/props/waits.js";

/** Other names of what the tables show. */
type Alias = "Ralph" | "continueAsNew";

const tables = {
  ...structureTables,
  ...controlTables,
  ...taskTables,
  ...waitTables,
  ...patternTables,
} satisfies Record<Exclude<keyof ServiceComponents<SchemaMap>, Alias>, PropTable>;

describe.each(Object.entries<PropTable>(tables))("a prop of %s", (_name, table) => {
  it.each(Object.keys(table.effects))("has an effect: %s", (prop) => {
    const effect = table.effects[prop];
    if (effect === undefined) throw new Error(`no entry for ${prop}`);
    const shown = compareFrames(table, prop, effect);
    expect(shown.with).toEqual(effect.as);
    expect(shown.without).not.toEqual(effect.as);
  });
});

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const sources = readSources(ROOT, ["src/components"]);
/** Interfaces of the props of a component, where they are not called after it alone. */
const PROPS: Readonly<Record<string, readonly string[]>> = {
  Task: ["ComputeTaskProps", "AgentTaskProps"],
};
/** A frame only hands them on: the runner of the task reads that they are absent. */
const HANDED_ON = new Set(["Task.hijack", "Task.onHijackExit", "Task.maxSchemaRetries", "Subflow.input"]);

const stated = Object.entries<PropTable>(tables).flatMap(([name, table]) => {
  const types = PROPS[name] ?? [`${name}Props`];
  return types
    .flatMap((type) => [...statedDefaults(type, sources)])
    .filter(([prop]) => !HANDED_ON.has(`${name}.${prop}`))
    .map(([prop, value]) => ({ name, prop, value, table }));
});

describe("defaults", () => {
  it("are stated by the docstrings of most components", () => {
    expect(new Set(stated.map(({ name }) => name)).size).toBeGreaterThan(20);
  });

  it.each(stated)(
    "is the same without $prop of $name as with its default $value",
    ({ prop, value, table }) => {
      const effect = table.effects[prop];
      if (effect === undefined) throw new Error(`no entry for ${prop}`);
      const { [prop]: _given, ...base } = table.base;
      const shown = compareFrames({ ...table, base }, prop, { ...effect, to: value });
      expect(shown.with).toEqual(shown.without);
    },
  );
});

it("every component has a table", () => {
  expect(Object.keys(tables).sort()).toEqual(
    Object.keys(components)
      .filter((name) => name !== "Ralph" && name !== "continueAsNew")
      .sort(),
  );
});
