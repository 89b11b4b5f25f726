/** @jsxImportSource react */
import type { RunView } from "../../operations/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { shown, shownShort } from "./text.js";

const BY_ITSELF = { cron: "a schedule", program: "a program", cli: "a terminal", gateway: "a call" } as const;

/** What began a run, with the way there. */
export function Trigger({
  run: { trigger, parentRunId, continuedFrom },
}: {
  run: Pick<RunView, "trigger" | "parentRunId" | "continuedFrom">;
}) {
  const { kind, by } = trigger;
  if (kind === "run" && parentRunId !== null) {
    return (
      <Link to={places.run(parentRunId)} title={shown(parentRunId)}>
        {continuedFrom === null ? "a run" : "a run that it continues"}
      </Link>
    );
  }
  if (kind === "webhook") return <Link to={places.webhooks()}>webhook {shownShort(by ?? "", 24)}</Link>;
  if (kind === "cron") return <Link to={places.schedules()}>{BY_ITSELF.cron}</Link>;
  if (kind === "run") return "a run";
  return by === null ? <span className="hint">{BY_ITSELF[kind]}</span> : shownShort(by, 24);
}
