/** @jsxImportSource react */
import type { RegistryWidgetsType, WidgetProps } from "@rjsf/utils";
import { type ClipboardEvent, type KeyboardEvent, type RefCallback, useState } from "react";
import { shown } from "../parts/text.js";
import { controlProps } from "./control.js";
import { LOOKS } from "./looks.js";

/** Characters of a line. */
const LONG = 80;

/** A line, or as many as there are: a break that is pasted, or written with Shift and Enter, stays. */
function TextWidget(props: WidgetProps) {
  const { value, schema, onChange } = props;
  const text = value === undefined || value === null ? "" : String(value);
  const { maxLength = 0, format = "" } = schema;
  const [lines, setLines] = useState<"one" | "many" | { goOn: RefCallback<HTMLTextAreaElement> }>(() =>
    text.includes("\n") || text.length > LONG || maxLength > 2 * LONG ? "many" : "one",
  );
  const control = {
    ...controlProps(props),
    value: text,
    // As the text runs, whichever way the page does.
    dir: "auto",
    placeholder: LOOKS[format],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === "" ? undefined : target.value),
  };
  if (lines === "many") return <textarea {...control} rows={4} />;
  if (lines !== "one") return <textarea {...control} rows={4} ref={lines.goOn} />;
  const grow = (event: ClipboardEvent<HTMLInputElement> | KeyboardEvent<HTMLInputElement>, more: string) => {
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const before = text.slice(0, selectionStart ?? text.length) + more;
    // It takes the place of the line in which one was writing.
    const goOn = (area: HTMLTextAreaElement | null) => {
      area?.focus();
      area?.setSelectionRange(before.length, before.length);
    };
    setLines({ goOn });
    onChange(before + text.slice(selectionEnd ?? text.length));
  };
  return (
    <input
      {...control}
      inputMode={format === "email" ? "email" : format === "uri" ? "url" : undefined}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData("text");
        if (pasted.includes("\n")) grow(event, pasted);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.shiftKey) grow(event, "\n");
      }}
    />
  );
}

/** One of some values, or none. */
function ChoiceWidget(props: WidgetProps) {
  const { value, options, required, onChange } = props;
  const { enumOptions = [] } = options;
  const chosen = enumOptions.findIndex((one) => one.value === value);
  return (
    <select
      {...controlProps(props)}
      value={chosen < 0 ? "" : chosen}
      onChange={({ target }) =>
        onChange(target.value === "" ? undefined : enumOptions[Number(target.value)]?.value)
      }
    >
      <option value="">{required === true ? "Choose…" : "not given"}</option>
      {enumOptions.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a choice is its place in the schema.
        <option key={index} value={index}>
          {shown(label)}
        </option>
      ))}
    </select>
  );
}

/** Neither is taken for said until it is chosen. */
function FlagWidget(props: WidgetProps) {
  const options = { enumOptions: [true, false].map((value) => ({ value, label: String(value) })) };
  return <ChoiceWidget {...props} options={options} />;
}

export const widgets: RegistryWidgetsType = {
  TextWidget,
  TextareaWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  DateWidget: TextWidget,
  DateTimeWidget: TextWidget,
  TimeWidget: TextWidget,
  ColorWidget: TextWidget,
  FileWidget: TextWidget,
  PasswordWidget: TextWidget,
  SelectWidget: ChoiceWidget,
  CheckboxWidget: FlagWidget,
};
