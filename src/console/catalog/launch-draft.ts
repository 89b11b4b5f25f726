import { useRef, useState } from "react";
import { ID_BYTES, idText } from "../../util/id-text.js";
import { isRecord } from "../../util/is-record.js";
import type { Written } from "../form/written.js";
import { useDraft } from "../parts/draft.js";

/** All that stands in the form, as it is written. */
export interface LaunchDraft {
  input: Written;
  /** Of each run option. */
  options: Readonly<Record<RunOptionName, string>>;
  /** The id of the run, where none is written: a start that is sent again, since its answer was lost, is the same run. */
  runId: string;
}

export type RunOptionName = "runId" | "maxConcurrency" | "queue" | "annotations";

export const NO_OPTIONS: LaunchDraft["options"] = {
  runId: "",
  maxConcurrency: "",
  queue: "",
  annotations: "",
};

function newRunId(): string {
  return idText(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
}

/**
 * What stands in the form. Each change of it is kept in the tab, and is another run; what was written before the page was loaded
 * is there again.
 */
export function useLaunchDraft(name: string, beginning: () => Written) {
  const [kept, keep] = useDraft(name);
  const begin = (): LaunchDraft => ({ input: beginning(), options: NO_OPTIONS, runId: newRunId() });
  const [draft, setDraft] = useState<LaunchDraft>(() => parsed(kept) ?? begin());
  // A control may tell two things at once.
  const latest = useRef(draft);
  const set = (next: LaunchDraft) => {
    latest.current = next;
    setDraft(next);
  };
  const change = (part: Partial<LaunchDraft>) => {
    const next = { ...latest.current, ...part, runId: newRunId() };
    set(next);
    keep(JSON.stringify(next));
  };
  return {
    draft,
    isKept: kept !== "",
    /** Another run option. */
    choose: (options: LaunchDraft["options"]) => change({ options }),
    /** @param isFilled it has been filled in, not written */
    write(rewrite: (before: Written) => Written, isFilled = false) {
      const before = latest.current.input;
      const input = rewrite(before);
      if (isFilled) set({ ...latest.current, input });
      else if (input !== before) change({ input });
    },
    /** As the form began. */
    startOver() {
      set(begin());
      keep("");
    },
    /** It has been sent. */
    forget: () => keep(""),
  };
}

/** Another version of the page may have written it. */
function parsed(text: string): LaunchDraft | undefined {
  if (text === "") return undefined;
  try {
    const draft = JSON.parse(text) as Partial<LaunchDraft> | null;
    const { input, options, runId } = draft ?? {};
    if (!isRecord(input) || !isRecord(input.unread) || !isRecord(options)) return undefined;
    const { value, unread, text: json } = input;
    const isWhole = typeof runId === "string" && (json === undefined || typeof json === "string");
    if (!isWhole) return undefined;
    return { input: { value, unread, text: json }, options: { ...NO_OPTIONS, ...options }, runId };
  } catch {
    return undefined;
  }
}
