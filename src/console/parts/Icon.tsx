/** @jsxImportSource react */
import { ICONS, type IconName } from "./icons.js";

/** A picture beside a text that says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={ICONS[name]} />
    </svg>
  );
}
