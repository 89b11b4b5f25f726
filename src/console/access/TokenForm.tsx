/** @jsxImportSource react */
import { type FormEvent, useId, useState } from "react";
import { Problem } from "../parts/Reading.js";

/** Asks for the token of the gateway. */
export function TokenForm({ refused, onToken }: { refused: string | null; onToken(token: string): void }) {
  const [token, setToken] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== "") onToken(token.trim());
  };
  return (
    <form className="card" onSubmit={submit}>
      <h1>This gateway asks for a token</h1>
      <label htmlFor={id}>Token</label>
      <input
        id={id}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <p className="hint">It is kept in this tab only, and sent in headers, never in an address.</p>
      {refused !== null && refused !== "" && <Problem text={refused} />}
      <button type="submit" className="button main">
        Use this token
      </button>
    </form>
  );
}
