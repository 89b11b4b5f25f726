import type { HostElement } from "../../model/host-node.js";
import type { TimerWait } from "../../model/task.js";
import type { TaskRule } from "../element-rule.js";
import { taskFingerprint } from "../fingerprint.js";
import { frameError } from "../frame-error.js";
import { invalid, readDuration } from "../props.js";
import { baseDescriptor } from "./base.js";

export const timerRule: TaskRule = {
  kind: "task",
  attributes: ["duration", "until", "skipIf", "dependsOn", "needs", "label", "meta"],
  describe(site) {
    const { element } = site;
    const task = baseDescriptor(site, "timer");
    task.timerWait = readWait(element);
    task.fingerprint = taskFingerprint(task, { outputSignature: "" });
    return task;
  },
};

function readWait(element: HostElement): TimerWait {
  if (element.props["every"] !== undefined) {
    throw frameError(
      "INVALID_INPUT",
      element,
      "has the prop every, but timers fire once; repeat with a Loop around the timer, or start runs with a schedule.",
    );
  }
  const durationMs = readDuration(element, "duration");
  const untilMs = readInstant(element);
  if ((durationMs === undefined) === (untilMs === undefined)) {
    const problem = durationMs === undefined ? "neither duration nor until" : "both duration and until";
    throw frameError("INVALID_INPUT", element, `has ${problem}; expected exactly one of them.`);
  }
  return durationMs === undefined ? { untilMs: untilMs as number } : { durationMs };
}

function readInstant(element: HostElement): number | undefined {
  const value = element.props["until"];
  if (value === undefined || value === null) return undefined;
  const ms =
    value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms))
    throw invalid(element, "until", "a Date, or a date and time such as 2031-05-01T09:00:00Z");
  return ms;
}
