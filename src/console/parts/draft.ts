import { useState } from "react";
import { keepText, keptText } from "./kept-text.js";

/** What is being written stays in the tab until it is sent: a reload takes nothing away. */
export function useDraft(key: string): [text: string, write: (text: string) => void] {
  const name = `treadle-draft ${key}`;
  const [text, setText] = useState(() => keptText(name, "sessionStorage"));
  return [
    text,
    (next) => {
      setText(next);
      keepText(name, next, "sessionStorage");
    },
  ];
}
