import { useRef } from "react";

interface Answer<T> {
  data: T | undefined;
  error: Error | undefined;
}

/** The newest answer, until the next one or a refusal is there: what is stepped through does not blink. */
export function useKept<T>({ data, error }: Answer<T>): T | undefined {
  const kept = useRef(data);
  if (data !== undefined || error !== undefined) kept.current = data;
  return kept.current;
}
