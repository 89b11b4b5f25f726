/** @jsxImportSource react */
import type { DamagedRun } from "../../operations/index.js";
import { Icon } from "./Icon.js";
import { shown } from "./text.js";

export interface ReadState {
  error: Error | undefined;
  isLoading: boolean;
  isStale: boolean;
}

/** The state of the reading itself. That what is shown is old is said once for the whole page, by its banner. */
export function Reading({ error, isLoading, isStale }: ReadState) {
  if (isLoading) return <p className="hint pad">Loading…</p>;
  if (error === undefined || isStale) return null;
  return <Problem text={error.message} />;
}

export function Problem({ text }: { text: string }) {
  return (
    <p className="problem" role="alert">
      <Icon name="cross" /> {shown(text)}
    </p>
  );
}

/** Runs that the gateway cannot read; nothing where all is well. */
export function Damage({ damaged = [] }: { damaged?: readonly DamagedRun[] | undefined }) {
  return damaged.map(({ runId, damage }) => (
    <p key={runId} className="problem">
      <Icon name="cross" /> <code>{shown(runId)}</code> cannot be read: {shown(damage.message)}
    </p>
  ));
}
