/** @jsxImportSource react */
import type { Ref } from "react";
import { Icon } from "./Icon.js";

interface FindFieldProps {
  /** For screen readers. */
  name: string;
  placeholder: string;
  value: string;
  onChange(value: string): void;
  ref?: Ref<HTMLInputElement>;
}

/** Where one writes what is looked for in a list. */
export function FindField({ name, placeholder, value, onChange, ref }: FindFieldProps) {
  return (
    <label className="find">
      <Icon name="search" />
      <span className="unseen">{name}</span>
      <input
        {...(ref !== undefined && { ref })}
        type="search"
        placeholder={placeholder}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
