import { useState } from "react";
import { ID_BYTES, idText } from "../../util/id-text.js";
import { isRecord } from "../../util/is-record.js";
import { useDraft } from "../parts/draft.js";
import { type Field, textsOf } from "./schema-fields.js";

/** All that stands in the form, as it is written. */
export interface LaunchDraft {
  isRaw: boolean;
  /** Of each control of the input. */
  texts: Readonly<Record<string, string>>;
  /** Of the whole input. */
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
  fields: readonly Field[] | undefined,
): Omit<LaunchDraft, "options" | "runId"> {
  return {
    isRaw: fields === undefined,
    texts: textsOf(fields ?? [], input),
    json: JSON.stringify(input, null, 2),
  };
}

/**
 * What stands in the form. Each change of it is kept in the tab, and is another run; what was written before the page was loaded
 * is there again.
 */
export function useLaunchDraft(name: string, beginning: () => Omit<LaunchDraft, "options" | "runId">) {
  const [kept, keep] = useDraft(name);
  const begin = (): LaunchDraft => ({ ...beginning(), options: NO_OPTIONS, runId: newRunId() });
  const [draft, setDraft] = useState<LaunchDraft>(() => parsed(kept) ?? begin());
  const set = (next: LaunchDraft, text: string) => {
    setDraft(next);
    keep(text);
  };
  return {
    draft,
    isKept: kept !== "",
    change(part: Partial<LaunchDraft>) {
      const next = { ...draft, ...part, runId: newRunId() };
      set(next, JSON.stringify(next));
    },
    /** As the form began. */
    startOver: () => set(begin(), ""),
    /** It has been sent. */
    forget: () => keep(""),
  };
}

/** Another version of the page may have written it. */
function parsed(text: string): LaunchDraft | undefined {
  if (text === "") return undefined;
  try {
    const draft = JSON.parse(text) as Partial<LaunchDraft> | null;
    const { isRaw, texts, json, options, runId } = draft ?? {};
    const isWhole = typeof json === "string" && typeof runId === "string" && isRecord(texts);
    if (!isWhole || !isRecord(options)) return undefined;
    return { isRaw: isRaw === true, texts, json, options: { ...NO_OPTIONS, ...options }, runId };
  } catch {
    return undefined;
  }
}
