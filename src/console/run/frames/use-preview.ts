import { useEffect, useRef, useState } from "react";
import { explained } from "../../parts/explained.js";

/** What an action would do, asked once when its dialog opens. */
export function usePreview<T>(ask: () => Promise<T>): { preview: T | null; problem: string | null } {
  const [preview, setPreview] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef(ask);
  useEffect(() => {
    first
      .current()
      .then(setPreview)
      .catch((error: Error) => setProblem(explained(error)));
  }, []);
  return { preview, problem };
}
