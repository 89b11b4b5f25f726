/** @jsxImportSource react */
import { useId, useState } from "react";
import { treadleCommand } from "../../util/treadle-command.js";
import { useMethod } from "../../react/index.js";
import type { AttemptRow } from "../../model/node.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Fold } from "../parts/Fold.js";
import { Json } from "../parts/Json.js";
import { LongText } from "../parts/LongText.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";
import type { NodeAddress } from "./use-node-log.js";

interface PromptProps extends NodeAddress {
  attempts: readonly AttemptRow[];
}

/** What an attempt has asked its agents, question by question, as they were given it. */
export function Prompt({ runId, nodeId, iteration, attempts }: PromptProps) {
  const [attempt, setAttempt] = useState<number>();
  const [questionNo, setQuestionNo] = useState<number>();
  const { data, ...reading } = useMethod("getPrompt", {
    runId,
    nodeId,
    iteration,
    ...(attempt !== undefined && { attempt }),
    ...(questionNo !== undefined && { question: questionNo }),
  });
  const id = useId();
  if (data === undefined) return <Reading {...reading} />;
  const { question, questions, recalled, edited } = data;
  const newest = attempts.at(-1);
  const command = treadleCommand("node", [runId, nodeId], {
    iteration,
    prompt: true,
    attempt: data.attempt ?? undefined,
    question: questionNo,
  });
  return (
    <section className="pad stack-parts" aria-label="Prompt">
      <Reading {...reading} />
      <div className="row-of-fields">
        {attempts.length > 1 && (
          <label htmlFor={`${id}-attempt`}>
            Attempt{" "}
            <select
              id={`${id}-attempt`}
              value={attempt ?? data.attempt ?? newest?.attempt}
              onChange={(event) => {
                setAttempt(Number(event.target.value));
                setQuestionNo(undefined);
              }}
            >
              {attempts.toReversed().map((one) => (
                <option key={one.attempt} value={one.attempt}>
                  {one.attempt} ({one.state})
                </option>
              ))}
            </select>
          </label>
        )}
        {questions.length > 1 && (
          <label htmlFor={`${id}-question`}>
            Question{" "}
            <select
              id={`${id}-question`}
              value={question?.questionNo}
              onChange={(event) => setQuestionNo(Number(event.target.value))}
            >
              {questions.map((one) => (
                <option key={one.questionNo} value={one.questionNo}>
                  {one.questionNo} to {shownShort(one.agentId, 40)}
                  {one.schemaRetry > 0 && `, correction ${one.schemaRetry}`}
                </option>
              ))}
            </select>
          </label>
        )}
        <CopyButton text={command} what="the command line for this" />
      </div>
      {question === null ? (
        <p className="hint">
          {newest?.cached === true
            ? "The row came from the cache: no agent was asked."
            : "No question to an agent is kept of this attempt."}
        </p>
      ) : (
        <>
          <p className="hint">
            To {shown(question.agentId)}, <Moment at={question.askedAtMs} />;{" "}
            {question.mode === "native"
              ? "the schema goes beside the prompt."
              : "the schema is text at the end of the prompt."}
            {edited !== null &&
              ` The prompt was edited${edited.by === null ? "" : ` by ${shown(edited.by)}`}; it is not the workflow's.`}
          </p>
          {question.instructions !== null && (
            <Fold title="Instructions of the agent">
              <LongText text={question.instructions} name="the instructions" wraps />
            </Fold>
          )}
          {question.messages !== null && (
            <Fold
              title={`Said before (${question.messages.length} messages${
                question.leftOutMessages > 0 ? `, ${question.leftOutMessages} older ones are not kept` : ""
              })`}
            >
              <Json value={question.messages} name="the messages" />
            </Fold>
          )}
          {recalled.length > 0 && (
            <Fold title={`From memory (${recalled.length} facts)`}>
              <ul className="short-list">
                {recalled.map((fact) => (
                  <li key={JSON.stringify([fact.namespace, fact.key])}>
                    <code>{shown(fact.key)}</code> {shown(fact.text)}
                  </li>
                ))}
              </ul>
            </Fold>
          )}
          <Fold
            key={`${question.attempt} ${question.questionNo}`}
            title={question.leftOutBytes > 0 ? "Prompt, without its middle" : "Prompt"}
            isOpenAtFirst
          >
            <LongText text={question.prompt} name="the prompt" wraps />
          </Fold>
          {question.schema !== null && (
            <Fold title="Schema of the answer">
              <Json value={question.schema} name="the schema" />
            </Fold>
          )}
        </>
      )}
    </section>
  );
}
