/** @jsxImportSource react */
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "treadle/client";
import { ClientProvider, useApprovals, useLaunch, useMethod } from "treadle/react";
import "./page.css";

/** What waits for an answer, kept up to date by the gateway. */
function Desk() {
  const { data, error, decide } = useApprovals({ workflow: "desk" });
  return (
    <main>
      <h1>Desk</h1>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {data?.approvals.length === 0 && <p>Nobody waits for an answer.</p>}
      <ul>
        {data?.approvals.map((approval) => (
          <Message key={approval.requestHash + approval.runId} approval={approval} decide={decide} />
        ))}
      </ul>
      <Write />
    </main>
  );
}

function Message({ approval, decide }) {
  const message = useMethod("inspectRun", { runId: approval.runId }).data?.input?.message;
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const answer = (event) => {
    event.preventDefault();
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

/** Stands for the customer. */
function Write() {
  const { launch, error, isPending } = useLaunch();
  const [message, setMessage] = useState("");
  const write = (event) => {
    event.preventDefault();
    launch({ workflow: "desk", input: { message } }).then(
      () => setMessage(""),
      // The hook has the error.
      () => {},
    );
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

const root = document.getElementById("root");
createRoot(root).render(
  // The client finds the gateway that serves this page, and the token that the tab was opened with.
  <ClientProvider client={createClient()}>
    <Desk />
  </ClientProvider>,
);
