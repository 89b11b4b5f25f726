import { RUN_EVENT_TYPES } from "../../model/events.js";
import { someOf } from "../../options/option-rules.js";

/** There are too many to list them in a message. */
export const eventTypes = { ...someOf(RUN_EVENT_TYPES), expected: "a list of types of events" };
