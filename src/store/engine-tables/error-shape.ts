import type { SerializedError } from "../../errors/ensure-error.js";
import type { UserFrame } from "../../errors/user-frames.js";
import {
  anything,
  boolean,
  later,
  listOf,
  number,
  object,
  optional,
  recordOf,
  type Shape,
  string,
} from "../columns/shape.js";

export const errorShape: Shape<SerializedError> = object<SerializedError>({
  name: string,
  // A foreign error may have any code.
  code: optional(string) as Shape<SerializedError["code"]>,
  message: string,
  summary: optional(string),
  docsUrl: optional(string),
  details: optional(recordOf(anything)),
  retryable: optional(boolean),
  frame: optional(
    object<UserFrame>({ file: string, line: number, column: number, function: optional(string) }),
  ),
  stack: optional(string),
  cause: optional(later(() => errorShape)),
  errors: optional(listOf(later(() => errorShape))),
  moreErrors: optional(number),
});
