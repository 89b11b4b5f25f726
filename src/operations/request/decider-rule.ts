import type { RunDecider } from "../../model/run.js";
import * as rules from "../../options/option-rules.js";
import { isRecord } from "../../util/is-record.js";

/** Who would decide, as a filter of runs has it: a member that is misspelt would list what others decide. */
export const decider = rules.checked<RunDecider>(
  'an object with scopes, a list or "all", and perhaps decidedBy',
  (value) => {
    if (!isRecord(value)) return false;
    const { scopes, decidedBy, ...others } = value;
    const hasScopes = scopes === "all" || rules.texts.fits(scopes);
    const hasName = decidedBy === undefined || rules.name.fits(decidedBy);
    return hasScopes && hasName && Object.keys(others).length === 0;
  },
);
