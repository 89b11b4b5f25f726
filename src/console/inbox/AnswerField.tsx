/** @jsxImportSource react */
import type { ApprovalRow } from "../../model/approval.js";
import { useMethod } from "../../react/index.js";
import type { PathProblems } from "../form/problems.js";
import { WrittenForm } from "../form/WrittenForm.js";
import type { Written } from "../form/written.js";

interface AnswerFieldProps {
  question: ApprovalRow;
  row: Written;
  problems: PathProblems;
  onChange(change: (before: Written) => Written): void;
}

/** The row that a person answers with. */
export function AnswerField({ question, row, problems, onChange }: AnswerFieldProps) {
  const { runId, nodeId, iteration, requestHash } = question;
  const { data, isLoading } = useMethod("inspectTask", { runId, nodeId, iteration });
  if (isLoading) return <p className="hint">Loading…</p>;
  return (
    <WrittenForm
      key={requestHash}
      schema={data?.answerSchema}
      name="Answer"
      written={row}
      problems={problems}
      onChange={onChange}
    />
  );
}
