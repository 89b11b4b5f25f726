/** @jsxImportSource react */
import { useState } from "react";
import { useApprovals, useLaunch, useMethod, useRuns } from "treadle/react";
import { showPage } from "./show-page.jsx";

function Desk() {
  const { data, error, decide } = useApprovals({ workflow: "desk" });
  return (
    <>
      <h1>Answer desk</h1>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {data?.approvals.length === 0 && <p>Nobody waits for an answer.</p>}
      <ul aria-label="Messages">
        {data?.approvals.map((approval) => (
          <Message key={approval.requestHash + approval.runId} approval={approval} decide={decide} />
        ))}
      </ul>
      <Answered />
      <Write />
    </>
  );
}

/** What a customer wrote, with room for the answer. */
function Message({ approval, decide }) {
  const message = useMethod("inspectRun", { runId: approval.runId }).data?.input?.message;
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const answer = (event) => {
    event.preventDefault();
    // To the question that is shown: another person may have answered it meanwhile.
    decide(approval, { approved: true, data: { text } }).catch((error) => setProblem(error.message));
  };
  return (
    <li>
      <strong>{String(message ?? "…")}</strong>
      <form onSubmit={answer}>
        <textarea
          aria-label="Answer"
          required
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Send</button>
        {problem !== "" && <p role="alert">{problem}</p>}
      </form>
    </li>
  );
}

function Answered() {
  const { data } = useRuns({ workflow: "desk", status: "finished", limit: 5 });
  return (
    <p>
      Answered: <output>{data?.runs.length ?? 0}</output>
    </p>
  );
}

/** Stands for the customer. */
function Write() {
  const { launch, error, isPending } = useLaunch();
  const [message, setMessage] = useState("");
  const write = (event) => {
    event.preventDefault();
    // At once: what is typed meanwhile is the next message.
    setMessage("");
    launch({ workflow: "desk", input: { message } }).catch(() => setMessage((typed) => typed || message));
  };
  return (
    <form onSubmit={write}>
      <textarea
        aria-label="Your message"
        required
        value={message}
        onChange={({ target }) => setMessage(target.value)}
      />
      <button type="submit" disabled={isPending}>
        Write to the desk
      </button>
      {error !== undefined && <p role="alert">{error.message}</p>}
    </form>
  );
}

showPage(<Desk />);
