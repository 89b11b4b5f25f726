import { type Schema, Validator } from "@cfworker/json-schema";
import type { RJSFSchema, ValidatorType } from "@rjsf/utils";
import { asSent } from "./written.js";

/** Interprets a schema, since a page that may run only its own files cannot compile one. What is wrong, the gateway says. */
export const validator: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({}),
  /** Of which kind of a union a value is. */
  isValid(schema: RJSFSchema, value: unknown, root: RJSFSchema) {
    try {
      const whole = { ...schema, ...("$defs" in root && { $defs: root["$defs"] as object }) } as Schema;
      return new Validator(whole, "7").validate(asSent(value)).valid;
    } catch {
      return false;
    }
  },
};
