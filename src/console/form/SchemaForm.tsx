/** @jsxImportSource react */
import Form from "@rjsf/core/lib/components/Form.js";
import type { ObjectFieldTemplateProps } from "@rjsf/utils";
import { useEffect, useId, useMemo, useRef } from "react";
import { FieldFrame } from "./FieldFrame.js";
import { fields, type UnreadTexts } from "./fields.js";
import { formSchema } from "./form-schema.js";
import { ListPart, ListParts } from "./ListParts.js";
import { errorSchema, type PathProblems } from "./problems.js";
import { validator } from "./validator.js";
import { widgets } from "./widgets.js";

interface SchemaFormProps extends UnreadTexts {
  /** JSON Schema. */
  schema: unknown;
  /** As the last `onChange` had it; another one needs another `key`. */
  value: unknown;
  problems: PathProblems;
  onChange(value: unknown): void;
  /** What can be in one way only has been filled in, not written. */
  onFill(value: unknown): void;
}

/** A control for each part of a value, as its JSON Schema has them. It stands in a form, and sends nothing itself. */
export default function SchemaForm({ schema, value, problems, onChange, onFill, ...texts }: SchemaFormProps) {
  const id = useId();
  const made = useMemo(() => formSchema(schema), [schema]);
  const errors = useMemo(() => errorSchema(problems), [problems]);
  const filled = useRef<unknown>(undefined);
  useEffect(() => {
    if (filled.current === undefined) return;
    onFill(filled.current);
    filled.current = undefined;
  });
  return (
    <Form
      tagName="div"
      idPrefix={id}
      schema={made}
      formData={value}
      formContext={texts}
      validator={validator}
      fields={fields}
      widgets={widgets}
      templates={templates}
      extraErrors={errors}
      noHtml5Validate
      showErrorList={false}
      experimental_defaultFormStateBehavior={GIVEN_ONLY}
      onChange={({ formData }, control) => {
        // While it is drawn, which is no time to tell another.
        if (control === undefined) filled.current = formData;
        else onChange(formData);
      }}
    >
      {NO_BUTTON}
    </Form>
  );
}

const NO_BUTTON = " ";

/** What has to be there, and what can be in one way only. */
const GIVEN_ONLY = {
  emptyObjectFields: "populateRequiredDefaults",
  arrayMinItems: { populate: "never" },
  requiredBooleanDefault: "skip",
} as const;

const templates = {
  FieldTemplate: FieldFrame,
  ArrayFieldTemplate: ListParts,
  ArrayFieldItemTemplate: ListPart,
  ObjectFieldTemplate: ({ properties }: ObjectFieldTemplateProps) => properties.map(({ content }) => content),
};
