/** @jsxImportSource react */
import ObjectField from "@rjsf/core/lib/components/fields/ObjectField.js";
import { ADDITIONAL_PROPERTY_FLAG, type FieldProps, type RJSFSchema, toFieldPathId } from "@rjsf/utils";
import { type KeyboardEvent, useId, useState } from "react";
import { isRecord } from "../../util/is-record.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";

/** The members that a schema names, then those that it has by any name. */
export function ObjectParts(props: FieldProps) {
  const { additionalProperties: values, properties = {}, ...rest } = props.schema;
  const named = Object.fromEntries(
    Object.entries(properties).filter(([, one]) => !(isRecord(one) && ADDITIONAL_PROPERTY_FLAG in one)),
  );
  const schema: RJSFSchema = { ...rest, properties: named };
  return (
    <>
      <ObjectField {...props} schema={schema} />
      {isRecord(values) && <RecordField {...props} values={values} named={Object.keys(named)} />}
    </>
  );
}

interface RecordFieldProps extends FieldProps {
  /** Schema of each value. */
  values: RJSFSchema;
  /** Keys that are no entries of it. */
  named: readonly string[];
}

/** A line for each entry, with its key; and one for the key of the next. */
function RecordField({ values, named, ...props }: RecordFieldProps) {
  const { formData, fieldPathId, onChange, registry, errorSchema = {}, name } = props;
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState("");
  const id = useId();
  const entries = isRecord(formData) ? formData : {};
  const set = (record: Record<string, unknown>) => onChange(record, fieldPathId.path);
  const { SchemaField } = registry.fields;
  if (SchemaField === undefined) return null;
  const add = () => {
    const key = next.trim();
    if (key === "") return setProblem("Write the key first.");
    if (key in entries || named.includes(key)) return setProblem("This key is there already.");
    set({ ...entries, [key]: registry.schemaUtils.getDefaultFormState(values) ?? empty(values) });
    setNext("");
    setProblem("");
  };
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  return (
    <>
      {Object.keys(entries)
        .filter((key) => !named.includes(key))
        .map((key) => (
          <div key={key} className="form-part">
            <div className="form-part-body">
              <SchemaField
                {...props}
                name={key}
                title={key}
                required
                schema={values}
                uiSchema={{}}
                formData={entries[key]}
                errorSchema={(errorSchema as Record<string, object>)[key] ?? {}}
                fieldPathId={toFieldPathId(key, registry.globalFormOptions, fieldPathId)}
                onChange={(value: unknown, path: (string | number)[], ...more: []) =>
                  // An entry stays until it is removed.
                  onChange(
                    value === undefined && path.length === fieldPathId.path.length + 1
                      ? empty(values)
                      : value,
                    path,
                    ...more,
                  )
                }
              />
            </div>
            <button
              type="button"
              className="plain"
              aria-label={`Remove ${shown(key)}`}
              onClick={() => set(Object.fromEntries(Object.entries(entries).filter(([one]) => one !== key)))}
            >
              <Icon name="cross" />
            </button>
          </div>
        ))}
      <div className="next-key">
        <label htmlFor={id} className="hint">
          Next key
        </label>
        <input
          id={id}
          value={next}
          aria-invalid={problem !== ""}
          aria-describedby={`${id}-more`}
          onChange={({ target }) => setNext(target.value)}
          onKeyDown={onEnter}
        />
        <button type="button" className="button" aria-label={`Add to ${shown(name)}`} onClick={add}>
          <Icon name="plus" /> Add
        </button>
        <span id={`${id}-more`} role="status" className="bad">
          {problem}
        </span>
      </div>
    </>
  );
}

/** What the gateway refuses where more is needed. */
function empty({ type }: RJSFSchema): unknown {
  if (type === "string") return "";
  return type === "object" ? {} : type === "array" ? [] : null;
}
