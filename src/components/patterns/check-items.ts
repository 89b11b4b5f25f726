import type { Composite } from "../../model/composite.js";
import type { OptionRule } from "../../options/option-rules.js";
import { nearest } from "../../util/nearest.js";
import { isPlainObject } from "../../util/same-data.js";
import type { PropRules } from "./check-props.js";
import { wrongProp } from "./wrong-prop.js";

/** The rules for an entry of a list or an object of a composite: a stage, a level, a column. */
export interface ItemRules<T> {
  /** As it reads after "expected": `a stage`. */
  readonly what: string;
  readonly fields: PropRules<T>;
}

/**
 * Refuses an entry that is not as its rules have it.
 *
 * @param prop where it stands: `stages[1]`
 * @throws INVALID_INPUT naming the field, its value and what is expected; the fields that there are, for an unknown one
 */
export function checkItem<T extends object>(
  composite: Composite,
  { prop, item, rules }: { prop: string; item: unknown; rules: ItemRules<T> },
): void {
  const fields = Object.entries<OptionRule>(rules.fields);
  const wrong = (more = "") =>
    wrongProp(composite, { prop, value: item, expected: `${rules.what} ${shape(fields)}${more}` });
  if (!isPlainObject(item)) throw wrong();
  for (const field of Object.keys(item)) {
    if (Object.hasOwn(rules.fields, field)) continue;
    const meant = nearest(field, Object.keys(rules.fields));
    throw wrong(`, and no field "${field}"${meant === undefined ? "" : ` (did you mean "${meant}"?)`}`);
  }
  for (const [field, rule] of fields) {
    const value = item[field];
    if ((value === undefined && rule.isRequired !== true) || rule.fits(value)) continue;
    throw wrongProp(composite, { prop: `${prop}.${field}`, value, expected: rule.expected });
  }
}

/**
 * The same for each entry of a list, of which no two are known by the same name.
 * @param items.known the field that names them; undefined where nothing does
 */
export function checkItems<T extends object>(
  composite: Composite,
  items: { prop: string; list: readonly unknown[]; rules: ItemRules<T>; known?: keyof T & string },
): void {
  const { list, rules, known } = items;
  const names = new Set<unknown>();
  for (const [index, item] of list.entries()) {
    const prop = `${items.prop}[${index}]`;
    checkItem(composite, { prop, item, rules });
    if (known === undefined) continue;
    const value = (item as T)[known];
    if (names.has(value)) {
      const expected = `one that no entry of ${items.prop} before it has`;
      throw wrongProp(composite, { prop: `${prop}.${known}`, value, expected });
    }
    names.add(value);
  }
}

/** `{id, agent, label?}` */
function shape(fields: readonly (readonly [string, OptionRule])[]): string {
  return `{${fields.map(([field, rule]) => (rule.isRequired === true ? field : `${field}?`)).join(", ")}}`;
}
