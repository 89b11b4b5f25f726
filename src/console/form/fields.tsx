/** @jsxImportSource react */
import type { Field, FieldProps, RegistryFieldsType } from "@rjsf/utils";
import { useEffect, useState } from "react";
import { controlProps } from "./control.js";
import { ObjectParts } from "./ObjectParts.js";
import { UnionField } from "./UnionField.js";

/** What cannot be read yet. The form's value has none of it: `-` is no number, `{"a` no JSON. */
export interface UnreadTexts {
  /** By the path of the value, as JSON. */
  unread: Readonly<Record<string, string>>;
  /** Undefined: it can be read, or is not there any more. */
  setUnread(path: string, text: string | undefined): void;
}

interface ReadTextProps extends FieldProps {
  /** Undefined for what cannot be read. */
  read(text: string): unknown;
  write(value: unknown): string;
  refusal: string;
}

/** A control whose text is read as a value. */
function ReadText(props: ReadTextProps) {
  const { fieldPathId, formData, onChange, registry, read, write, refusal } = props;
  const { unread, setUnread } = registry.formContext as UnreadTexts;
  const path = JSON.stringify(fieldPathId.path);
  // As it was written, as long as it says the value: `1.` on the way to `1.5`.
  const [written, setWritten] = useState("");
  const isSame = JSON.stringify(read(written)) === JSON.stringify(formData);
  const text = unread[path] ?? (isSame ? written : write(formData));
  // biome-ignore lint/correctness/useExhaustiveDependencies: only with the field itself.
  useEffect(() => () => setUnread(path, undefined), [path]);
  // Said while it is written: what comes up later moves the button away that is pressed next.
  const isRefused = unread[path] !== undefined;
  const control = {
    ...controlProps({ ...props, id: fieldPathId.$id }),
    ...(isRefused && { "aria-invalid": true }),
    value: text,
    onChange({ target }: { target: { value: string } }) {
      const value = read(target.value);
      setWritten(target.value);
      setUnread(path, value === undefined && target.value.trim() !== "" ? target.value : undefined);
      onChange(value, fieldPathId.path);
    },
  };
  return (
    <>
      {props.schema.type === undefined ? (
        <textarea {...control} className="code" rows={4} spellCheck={false} placeholder="JSON" />
      ) : (
        <input {...control} inputMode="decimal" />
      )}
      {isRefused && <span className="bad">{refusal}</span>}
    </>
  );
}

function NumberField(props: FieldProps) {
  const { schema, registry } = props;
  const { StringField } = registry.fields;
  if (registry.schemaUtils.isSelect(schema) && StringField !== undefined) return <StringField {...props} />;
  return (
    <ReadText
      {...props}
      read={numberOf}
      write={(value) => (value === undefined ? "" : String(value))}
      refusal="This is not a number."
    />
  );
}

/** What has no type is written as JSON. */
function JsonField(props: FieldProps) {
  return (
    <ReadText
      {...props}
      read={jsonOf}
      write={(value) => (value === undefined ? "" : JSON.stringify(value, null, 2))}
      refusal="This is not JSON."
    />
  );
}

function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const fields: RegistryFieldsType = {
  NumberField,
  FallbackField: JsonField,
  ObjectField: ObjectParts,
  AnyOfField: UnionField as Field,
  OneOfField: UnionField as Field,
};
