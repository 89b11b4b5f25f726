import { type RunEventType, runEventTypes } from "../../model/events.js";
import { checked, texts } from "../../options/option-rules.js";

export const eventTypes = checked<RunEventType[]>("a list of types of events", (value) => {
  const known: readonly string[] = runEventTypes();
  return texts.fits(value) && value.every((type) => known.includes(type));
});
