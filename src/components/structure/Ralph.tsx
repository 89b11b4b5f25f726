import { Loop } from "./Loop.js";

/** @deprecated Use {@link Loop}. */
export const Ralph = Loop;
