import type { HistoryMessage } from "../../memory/message-history.js";
import type { FactAddress } from "../../store/index.js";

/** A fact as the prompt has it; kept with the attempt, so that attempts after a failed one are given the same. */
export interface GivenFact extends FactAddress {
  text: string;
}

/** Facts that an attempt has found in memory before its agent is asked. */
export interface FoundInMemory {
  /** Best first. */
  facts: GivenFact[];
  /** The conversation so far, oldest first. */
  messages: HistoryMessage[];
  /** Tells it from anything else that could have been found: part of the cache key. */
  fingerprint: string;
}
