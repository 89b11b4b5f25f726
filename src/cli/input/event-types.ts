import { ServiceError } from "../../errors/service-error.js";
import { runEventTypes, type RunEventType } from "../../model/events.js";
import { commaList, enumerated } from "./option-values.js";

/**
 * Event types of a comma-separated list. A name stands for itself, or for every
 * type that starts with it: `Node`, `Approval`. Upper and lower case are equal.
 * @throws INVALID_EVENTS_OPTIONS for a name that fits no type
 */
function parseEventTypes(list: string): RunEventType[] {
  const types = runEventTypes();
  return commaList(list).flatMap((name) => {
    const wanted = name.toLowerCase();
    const exact = types.filter((type) => type.toLowerCase() === wanted);
    const found = exact.length > 0 ? exact : types.filter((type) => type.toLowerCase().startsWith(wanted));
    if (found.length > 0) return found;
    throw new ServiceError("INVALID_EVENTS_OPTIONS", `--type: no event type is, or starts with, ${name}.`, {
      details: { type: name, types },
    });
  });
}

/** Types of an option that lists them; completions know them too. */
export const eventTypeList = enumerated({ values: runEventTypes(), isList: true }, parseEventTypes);
