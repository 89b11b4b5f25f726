import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { METHODS } from "../../../src/hosts/gateway/rpc/methods.js";
import { STREAMS } from "../../../src/hosts/gateway/socket/streams.js";

const page = readFileSync(new URL("../../../docs/gateway.md", import.meta.url), "utf8");
const section = page.slice(page.indexOf("\n## Methods\n"), page.indexOf("\n## Methods of your own\n"));

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: string[];
  anyOf?: ObjectSchema[];
}

/** `{runId, iteration?}`, or several of them. */
function shapeOf({ properties = {}, required = [], anyOf }: ObjectSchema): string {
  if (anyOf !== undefined) return anyOf.map(shapeOf).join(" or ");
  const members = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return `\`{${members.join(", ")}}\``;
}

it("the table of methods is that of the code: every method with its scope and its params", () => {
  const documented = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \| .+ \|$/gm)].map(
    ([, name, scope, params]) => ({ name, scope, params }),
  );
  const methods = [...Object.entries(METHODS), ...Object.entries(STREAMS)].map(
    ([name, { scope, params }]) => ({
      name,
      scope:
        scope === null
          ? "none"
          : [scope]
              .flat()
              .map((one) => `\`${one}\``)
              .join(" and "),
      params: shapeOf(z.toJSONSchema(params, { unrepresentable: "any", io: "input" }) as ObjectSchema),
    }),
  );
  const byName = (rows: { name?: string | undefined }[]) =>
    rows.toSorted((a, b) => String(a.name).localeCompare(String(b.name)));
  expect(byName(documented)).toEqual(byName(methods));
});
