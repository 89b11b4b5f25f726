/** @jsxImportSource react */
import { useId } from "react";
import type { ApprovalRow } from "../../model/approval.js";
import { useMethod } from "../../react/index.js";
import { isRecord } from "../../util/is-record.js";
import type { UnreadTexts } from "../form/fields.js";
import type { PathProblems } from "../form/problems.js";
import { ValueForm } from "../form/ValueForm.js";

/** A row that is being written. */
export interface WrittenRow {
  /** As the controls say it. */
  value: unknown;
  unread: UnreadTexts["unread"];
  /** As JSON; undefined while it is written in the controls. */
  text: string | undefined;
}

export const NO_ROW: WrittenRow = { value: undefined, unread: {}, text: undefined };

/** The row, or what is wrong with how it is written. */
export function readRow({ value, unread, text }: WrittenRow): { data: unknown } | { problem: string } {
  if (text === undefined) {
    return Object.keys(unread).length > 0
      ? { problem: "Something in the answer is not what it has to be." }
      : { data: value ?? {} };
  }
  try {
    return { data: JSON.parse(text) as unknown };
  } catch {
    return { problem: "The answer is not JSON." };
  }
}

interface AnswerFieldProps {
  question: ApprovalRow;
  row: WrittenRow;
  problems: PathProblems;
  onChange(change: (before: WrittenRow) => WrittenRow): void;
}

/** The answer of a person: a control for each part of it where its schema is kept, or JSON. */
export function AnswerField({ question, row, problems, onChange }: AnswerFieldProps) {
  const { runId, nodeId, iteration } = question;
  const id = useId();
  const { data, isLoading } = useMethod("inspectTask", { runId, nodeId, iteration });
  const schema = data?.answerSchema;
  if (isLoading) return <p className="hint">Loading…</p>;
  const hasForm = isRecord(schema);
  const write = (part: Partial<WrittenRow>) => onChange((before) => ({ ...before, ...part }));
  if (hasForm && row.text === undefined) {
    return (
      <>
        <ValueForm
          key={question.requestHash}
          schema={schema}
          value={row.value}
          problems={problems}
          unread={row.unread}
          setUnread={(path, text) =>
            onChange((before) => {
              const { [path]: _before, ...others } = before.unread;
              return { ...before, unread: text === undefined ? others : { ...others, [path]: text } };
            })
          }
          onChange={(value) => write({ value })}
          onFill={(value) => write({ value })}
        />
        <button
          type="button"
          className="plain as-json"
          onClick={() => write({ text: JSON.stringify(row.value ?? {}, null, 2) })}
        >
          As JSON
        </button>
      </>
    );
  }
  return (
    <>
      <label htmlFor={id}>Answer, as JSON</label>
      <textarea
        id={id}
        className="code"
        rows={4}
        spellCheck={false}
        value={row.text ?? ""}
        onChange={({ target }) => write({ text: target.value })}
      />
      {hasForm && (
        <button
          type="button"
          className="plain as-json"
          onClick={() => {
            const read = readRow(row);
            // No control shows it.
            if ("data" in read) write({ value: read.data, unread: {}, text: undefined });
          }}
        >
          As a form
        </button>
      )}
    </>
  );
}
