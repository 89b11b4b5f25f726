import { useState } from "react";

/** What is being written stays in the tab until it is sent: a reload takes nothing away. */
export function useDraft(key: string): [text: string, write: (text: string) => void] {
  const name = `treadle-draft ${key}`;
  const [text, setText] = useState(() => kept(name));
  return [
    text,
    (next) => {
      setText(next);
      keep(name, next);
    },
  ];
}

function kept(name: string): string {
  try {
    return window.sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === "") window.sessionStorage.removeItem(name);
    else window.sessionStorage.setItem(name, text);
  } catch {
    // A browser without storage: it stays as long as the page.
  }
}
