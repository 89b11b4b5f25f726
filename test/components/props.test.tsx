import { describe, expect, it } from "vitest";
import { components, type ServiceComponents } from "../../src/components/components.js";
import type { SchemaMap } from "../../src/model/schema.js";
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

it("every component has a table", () => {
  expect(Object.keys(tables).sort()).toEqual(
    Object.keys(components)
      .filter((name) => name !== "Ralph" && name !== "continueAsNew")
      .sort(),
  );
});
