/** @jsxImportSource react */
import type { FieldProps, RJSFSchema } from "@rjsf/utils";
import { useState } from "react";
import { isRecord } from "../../util/is-record.js";
import { shown } from "../parts/text.js";
import { controlId } from "./control.js";

interface UnionFieldProps extends FieldProps {
  /** Schemas of the kinds. */
  options: RJSFSchema[];
}

/** A value of one of some kinds: which, then its control. Who writes has said which it is, even while what is written fits none. */
export function UnionField({ options: kinds, ...props }: UnionFieldProps) {
  const { formData, registry, fieldPathId, onChange, name } = props;
  const { schemaUtils, fields } = registry;
  const [chosen, setChosen] = useState(() => kindOf(formData));
  const { SchemaField } = fields;
  const id = controlId(`${fieldPathId.$id}__kind`);
  const schema = kinds[chosen];

  function kindOf(value: unknown): number {
    const root = schemaUtils.getRootSchema();
    const valid = kinds.findIndex((kind) => schemaUtils.getValidator().isValid(kind, value, root));
    if (valid >= 0) return valid;
    // One that is not finished yet is known by its literal, else by its type.
    const named = kinds.findIndex((kind) => hasLiteralOf(kind, value));
    return Math.max(0, named >= 0 ? named : kinds.findIndex(({ type }) => type === typeOf(value)));
  }
  const choose = (kind: number) => {
    setChosen(kind);
    onChange(schemaUtils.getDefaultFormState(kinds[kind] ?? {}), fieldPathId.path, undefined, id);
  };
  return (
    <>
      <select
        id={id}
        className="kind"
        aria-label={`Kind of ${shown(name)}`}
        value={chosen}
        onChange={({ target }) => choose(Number(target.value))}
      >
        {kinds.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a kind is its place in the schema.
          <option key={index} value={index}>
            {shown(title ?? "")}
          </option>
        ))}
      </select>
      {SchemaField !== undefined && schema !== undefined && (
        <SchemaField {...props} key={chosen} schema={schema} />
      )}
    </>
  );
}

function hasLiteralOf({ properties = {} }: RJSFSchema, value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(properties).some(
    ([name, one]) => isRecord(one) && "const" in one && one["const"] === value[name],
  );
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}
