import { useRef, useState } from "react";
import { ID_BYTES, idText } from "../../util/id-text.js";
import { isRecord } from "../../util/is-record.js";
import type { UnreadTexts } from "../form/fields.js";
import { useDraft } from "../parts/draft.js";

/** All that stands in the form, as it is written. */
export interface LaunchDraft {
  isRaw: boolean;
  /** The input, as the controls say it. */
  input: Record<string, unknown>;
  /** Texts in the controls that say no value. */
  unread: UnreadTexts["unread"];
  /** The input, written as a whole. */
  json: string;
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

export function draftOf(
  input: Record<string, unknown>,
  isRaw: boolean,
): Omit<LaunchDraft, "options" | "runId"> {
  return { isRaw, input, unread: {}, json: JSON.stringify(input, null, 2) };
}

/**
 * What stands in the form. Each change of it is kept in the tab, and is another run; what was written before the page was loaded
 * is there again.
 */
export function useLaunchDraft(name: string, beginning: () => Omit<LaunchDraft, "options" | "runId">) {
  const [kept, keep] = useDraft(name);
  const begin = (): LaunchDraft => ({ ...beginning(), options: NO_OPTIONS, runId: newRunId() });
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
    change,
    /** A text that cannot be read, at its path; undefined: it can. */
    setUnread(path: string, text: string | undefined) {
      const { [path]: before, ...others } = latest.current.unread;
      if (text !== before) change({ unread: text === undefined ? others : { ...others, [path]: text } });
    },
    /** What has been filled in, not written. */
    fill: (input: Record<string, unknown>) => set({ ...latest.current, input }),
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
    const { isRaw, input, unread, json, options, runId } = draft ?? {};
    const isWhole = typeof json === "string" && typeof runId === "string" && isRecord(input);
    if (!isWhole || !isRecord(options) || !isRecord(unread)) return undefined;
    return { isRaw: isRaw === true, input, unread, json, options: { ...NO_OPTIONS, ...options }, runId };
  } catch {
    return undefined;
  }
}
