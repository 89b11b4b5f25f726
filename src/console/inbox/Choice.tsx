/** @jsxImportSource react */
import { useId } from "react";
import type { ApprovalRow } from "../../model/approval.js";
import type { PathProblems } from "../form/problems.js";
import { readWritten, type Written, writtenOf } from "../form/written.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";
import { AnswerField } from "./AnswerField.js";

/** The choice so far, in each of the modes. */
export interface Chosen {
  selected: string | null;
  ranked: readonly string[];
  row: Written;
}

export function initialChoice({ options }: ApprovalRow): Chosen {
  return { selected: null, ranked: (options ?? []).map(({ key }) => key), row: writtenOf(undefined, false) };
}

type ReadChoice =
  | { selected: string }
  | { ranked: string[] }
  | { data: unknown }
  | { problem: string }
  | object;

/** The part of an approving answer that depends on the mode. */
export function readChoice({ mode, request }: ApprovalRow, { selected, ranked, row }: Chosen): ReadChoice {
  if (request.asksForData === true) return readWritten(row);
  if (mode === "rank") return { ranked: [...ranked] };
  if (mode !== "select") return {};
  return selected === null ? { problem: "Choose one of the options first." } : { selected };
}

interface ChoiceProps {
  question: ApprovalRow;
  chosen: Chosen;
  /** Of a row. */
  problems: PathProblems;
  onChange(change: (before: Chosen) => Chosen): void;
}

/** Options to choose from, to put in order, or a row to write. */
export function Choice({ question, chosen, problems, onChange }: ChoiceProps) {
  const { mode, options, request } = question;
  const id = useId();
  if (request.asksForData === true) {
    return (
      <AnswerField
        question={question}
        row={chosen.row}
        problems={problems}
        onChange={(change) => onChange((before) => ({ ...before, row: change(before.row) }))}
      />
    );
  }
  if (mode === "select") {
    return (
      <fieldset>
        <legend>Choose one</legend>
        {(options ?? []).map(({ key, label, summary }) => (
          <label key={key} className="option">
            <input
              type="radio"
              name={id}
              value={key}
              checked={chosen.selected === key}
              onChange={() => onChange((before) => ({ ...before, selected: key }))}
            />
            <span>
              {shown(label)}
              {summary !== undefined && <span className="hint"> {shown(summary)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
    );
  }
  if (mode !== "rank") return null;
  const labels = new Map((options ?? []).map(({ key, label }) => [key, shown(label)]));
  const move = (index: number, by: -1 | 1) => {
    const ranked = [...chosen.ranked];
    const [key] = ranked.splice(index, 1);
    if (key !== undefined) ranked.splice(index + by, 0, key);
    onChange((before) => ({ ...before, ranked }));
  };
  return (
    <fieldset>
      <legend>Put in order, best first</legend>
      <ol className="ranking">
        {chosen.ranked.map((key, index) => (
          <li key={key}>
            {labels.get(key)}{" "}
            <button
              type="button"
              className="plain"
              disabled={index === 0}
              aria-label={`Move ${labels.get(key)} up`}
              onClick={() => move(index, -1)}
            >
              <Icon name="up" />
            </button>
            <button
              type="button"
              className="plain"
              disabled={index === chosen.ranked.length - 1}
              aria-label={`Move ${labels.get(key)} down`}
              onClick={() => move(index, 1)}
            >
              <Icon name="down" />
            </button>
          </li>
        ))}
      </ol>
    </fieldset>
  );
}
