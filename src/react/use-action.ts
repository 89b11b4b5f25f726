import { useCallback, useRef, useState } from "react";

/** How the newest call of an action stands. */
export interface ActionState<T> {
  /** Its answer; undefined before. */
  data: T | undefined;
  /** The error it failed with. */
  error: Error | undefined;
  isPending: boolean;
  /** Forgets answer and failure. */
  reset(): void;
}

const IDLE = { data: undefined, error: undefined, isPending: false };

/** An action with the state of its newest call: the answer to an earlier one does not overwrite it. */
export function useAction<A extends unknown[], T>(
  perform: (...args: A) => Promise<T>,
): [(...args: A) => Promise<T>, ActionState<T>] {
  const [state, setState] = useState<Omit<ActionState<T>, "reset">>(IDLE);
  const calls = useRef(0);
  const run = useCallback(
    async (...args: A): Promise<T> => {
      calls.current += 1;
      const call = calls.current;
      const settle = (next: Partial<ActionState<T>>) => {
        if (calls.current === call) setState({ ...IDLE, ...next });
      };
      settle({ isPending: true });
      try {
        const data = await perform(...args);
        settle({ data });
        return data;
      } catch (error) {
        settle({ error: error as Error });
        throw error;
      }
    },
    [perform],
  );
  const reset = useCallback(() => {
    calls.current += 1;
    setState(IDLE);
  }, []);
  return [run, { ...state, reset }];
}
