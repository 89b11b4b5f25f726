import type { UnreadTexts } from "./fields.js";

/** A value that is being written: in the controls of a form, or as JSON. */
export interface Written {
  /** As the controls say it. */
  value: unknown;
  /** Texts in the controls that say no value. */
  unread: UnreadTexts["unread"];
  /** As JSON; undefined while it is written in the controls. */
  text: string | undefined;
}

export function writtenOf(value: unknown, isJson: boolean): Written {
  return { value, unread: {}, text: isJson ? JSON.stringify(value ?? {}, null, 2) : undefined };
}

/** With a text at the path of a control that cannot be read; undefined: it can. */
export function withUnread(written: Written, path: string, text: string | undefined): Written {
  const { [path]: before, ...others } = written.unread;
  if (text === before) return written;
  return { ...written, unread: text === undefined ? others : { ...others, [path]: text } };
}

/** What a form leaves out is a member without a value there, and none in JSON. */
export function asSent(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The value, or why there is none. */
export function readWritten({ value, unread, text }: Written): { data: unknown } | { problem: string } {
  if (text === undefined) {
    return Object.keys(unread).length > 0
      ? { problem: "Something above is not what it has to be." }
      : { data: asSent(value ?? {}) };
  }
  try {
    return { data: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
}
