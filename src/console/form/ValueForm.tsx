/** @jsxImportSource react */
import { type ComponentProps, lazy, Suspense } from "react";
import type Form from "./SchemaForm.js";

const SchemaForm = lazy(() => import("./SchemaForm.js"));

/** A control for each part of a value. What draws them is loaded with the first. */
export function ValueForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense fallback={<p className="hint">Loading…</p>}>
      <SchemaForm {...props} />
    </Suspense>
  );
}
