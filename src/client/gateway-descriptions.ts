/** A registered workflow as clients see it. */
export interface WorkflowDescription {
  key: string;
  /** The name on `<Workflow>`; null when it depends on the input. */
  workflowName: string | null;
  readableName: string | null;
  description: string | null;
  /** Hash of its code, as its runs keep it; null when unknown. */
  fingerprint: string | null;
  /** Cron expression. */
  schedule: string | null;
  hasWebhook: boolean;
  /** Where its page is; null without one. */
  uiPath: string | null;
}

/** A webhook as clients see it: without its secret. */
export interface WebhookDescription {
  workflowKey: string;
  /** Below the gateway's own address. */
  path: string;
  signatureHeader: string;
  signaturePrefix: string;
  /** Where a sender may say what it calls a delivery; the first that is there counts. */
  deliveryIdHeaders: string[];
  /** The signal that it delivers; null for none. */
  signal: string | null;
  /** Whether it starts a run where no run waits. */
  startsRuns: boolean;
}

/** A workflow file that a gateway has found and that, as it is, gives no workflow: nothing starts of it until it is mended. */
export interface BrokenWorkflow {
  /** The key that its workflow would have. */
  key: string;
  /** Relative to the gateway's workspace. */
  file: string;
  /**
   * Why it does not load: what the gateway's own terminal shows. `frame`: the lines of code, which only a gateway of
   * `treadle dev` sends; null elsewhere, and where there are none.
   */
  error: { code: string; summary: string; frame: string | null };
  /** It has no workflow at all: others import it, and nothing is wrong with it. */
  isModule: boolean;
  /** Whether the save that mends it is enough: else the gateway has to be started again. */
  isWatched: boolean;
}
