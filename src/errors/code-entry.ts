/** The entry of one error code in the table. */
export interface ErrorCodeEntry {
  /** The condition that raises it, as a sentence fragment: "a task id appears twice in one frame". */
  readonly when: string;
  /** The reader's next step, as an imperative sentence. */
  readonly next: string;
  /** Whether another attempt of the same task may succeed. Default true. */
  readonly retryable?: boolean;
  /** Status on HTTP surfaces. Default 500. */
  readonly httpStatus?: number;
}

export type ErrorFamily = Readonly<Record<string, ErrorCodeEntry>>;
