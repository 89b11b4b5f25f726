/** @jsxImportSource react */
import type { FieldTemplateProps, RJSFSchema } from "@rjsf/utils";
import { useState } from "react";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";
import { controlId, isUnion } from "./control.js";
import { DEFAULT, IN_UNION } from "./form-schema.js";

/** The name of a value, what is said of it, what is wrong with it, and its control between them; a frame around one that has parts. */
export function FieldFrame(props: FieldTemplateProps) {
  const { schema, registry, children, fieldPathId } = props;
  const isRoot = fieldPathId.path.length === 0;
  // A literal is filled in; a kind of a union stands in the frame of the union.
  if ("const" in schema) return null;
  if (isRoot || schema[IN_UNION as keyof RJSFSchema] === true) return children;
  if (isUnion(schema, registry))
    return kindsOf(schema).every(isPlain) ? <Kinds {...props} /> : <Group {...props} />;
  return isPlain(schema) ? <Line {...props} /> : <Group {...props} />;
}

const kindsOf = ({ anyOf, oneOf = [] }: RJSFSchema) => (anyOf ?? oneOf) as RJSFSchema[];

/** It has no parts. */
function isPlain({ type, $ref, anyOf, oneOf, allOf }: RJSFSchema): boolean {
  return type !== "object" && type !== "array" && ($ref ?? anyOf ?? oneOf ?? allOf) === undefined;
}

/** A line of one of some kinds: which, and the line. */
function Kinds(props: FieldTemplateProps) {
  const id = controlId(props.id);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a line.
    <div className="field" role="group" aria-labelledby={`${id}-name`} aria-describedby={`${id}-more`}>
      <span id={`${id}-name`}>
        {nameOf(props)} <Optional isRequired={props.required} />
      </span>
      <div className="kinds">{props.children}</div>
      <More {...props} />
    </div>
  );
}

function Line(props: FieldTemplateProps) {
  return (
    <div className="field">
      <label htmlFor={controlId(props.id)}>
        {nameOf(props)} <Optional isRequired={props.required} />
      </label>
      {props.children}
      <More {...props} />
    </div>
  );
}

function Group(props: FieldTemplateProps) {
  const { schema, required, formData, fieldPathId, onChange, children, registry } = props;
  const name = nameOf(props);
  const [isOpen, setOpen] = useState(required === true || formData !== undefined || hasOwnBeginning(schema));
  const tell = (value: unknown) => onChange(value, fieldPathId.path, undefined, props.id);
  return (
    <fieldset className="parts" id={controlId(props.id)} aria-describedby={`${controlId(props.id)}-more`}>
      <legend>
        {name} <Optional isRequired={required} />
        {!required && formData !== undefined && (
          <button
            type="button"
            className="plain"
            aria-label={`Leave out ${name}`}
            onClick={() => {
              tell(undefined);
              setOpen(hasOwnBeginning(schema));
            }}
          >
            <Icon name="cross" /> Leave out
          </button>
        )}
      </legend>
      <More {...props} />
      {isOpen ? (
        children
      ) : (
        <button
          type="button"
          className="button"
          aria-label={`Add ${name}`}
          onClick={() => {
            tell(beginning(schema, registry.schemaUtils));
            setOpen(true);
          }}
        >
          <Icon name="plus" /> Add
        </button>
      )}
    </fieldset>
  );
}

function Optional({ isRequired = false }: { isRequired?: boolean | undefined }) {
  return isRequired ? null : <span className="hint">optional</span>;
}

function More({ id, schema, rawDescription, rawErrors = [] }: FieldTemplateProps) {
  const fallback = (schema as Record<string, unknown>)[DEFAULT];
  return (
    <p id={`${controlId(id)}-more`} className="hint">
      {rawDescription !== undefined && rawDescription !== "" && <>{shown(rawDescription)} </>}
      {fallback !== undefined && <>Default: {shown(JSON.stringify(fallback))}. </>}
      {rawErrors.length > 0 && <span className="bad">{shown(rawErrors.join(" "))}</span>}
    </p>
  );
}

/** As it is written in the schema; of an item of a list its place. */
function nameOf({ label, fieldPathId }: FieldTemplateProps): string {
  const last = fieldPathId.path.at(-1);
  return shown(typeof last === "number" ? label.replace(/-\d+$/, ` ${last + 1}`) : label);
}

/** The button that adds to a list. */
function hasOwnBeginning(schema: RJSFSchema): boolean {
  const kinds = kindsOf(schema);
  return kinds.length === 0 ? schema.type !== "object" : kinds.some(({ type }) => type === "array");
}

function beginning(schema: RJSFSchema, utils: FieldTemplateProps["registry"]["schemaUtils"]): unknown {
  const kind = kindsOf(schema).find(({ type }) => type === "object") ?? schema;
  return utils.getDefaultFormState(kind, {}) ?? {};
}
