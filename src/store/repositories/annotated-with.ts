import type { Condition } from "./rows.js";

const CONFIG = "c.config_json";

/**
 * Condition that run `r` has an annotation. In the JSON of an object that has only scalars, a member's own text stands
 * nowhere but as a member: quotes in names and texts are escaped. Configurations that do not have the name at all are
 * not parsed, as they can be megabytes.
 */
export function annotatedWith(
  [name, value]: readonly [string, string | number | boolean],
  jsonMember: (column: string, name: string) => string,
): Condition {
  const key = `${JSON.stringify(name)}:`;
  const members = textsOf(value).map((text) => `,${key}${text},`);
  const annotations = jsonMember(CONFIG, "annotations");
  const between = `',' || substr(${annotations}, 2, length(${annotations}) - 2) || ','`;
  const isOne = members.map(() => `replace(${between}, ?, '') <> ${between}`).join(" OR ");
  return {
    sql: `EXISTS (SELECT 1 FROM _service_run_configs c WHERE c.run_no = r.run_no
      AND CASE WHEN replace(${CONFIG}, ?, '') = ${CONFIG} THEN 1 = 0 ELSE ${isOne} END)`,
    params: [key, ...members],
  };
}

/** A number, true and false are found by what a person or an address calls them, too. */
function textsOf(value: string | number | boolean): string[] {
  const text = String(value);
  const isScalar = text === "true" || text === "false" || String(Number(text)) === text;
  return isScalar ? [JSON.stringify(text), text] : [JSON.stringify(text)];
}
