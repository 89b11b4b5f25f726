/** @jsxImportSource react */
import { useMemo } from "react";
import { LongText } from "./LongText.js";

/** A value as JSON text. */
export function Json({ value, name }: { value: unknown; name: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "undefined", [value]);
  return <LongText text={text} name={name} />;
}
