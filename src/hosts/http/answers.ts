import type { Context } from "hono";
import { approveNode, denyNode, type OperationTarget, signalRun } from "../../operations/index.js";
import { given } from "./given.js";
import { readJson } from "./read-json.js";
import { decisionBody, signalBody } from "./run-requests.js";
import { jsonResponse } from "./json-response.js";

/** Where an answer goes. A workflow as the target knows what an answer must look like. */
export interface Answering {
  target: OperationTarget;
  /** The answer is kept: the run that waits for it continues. */
  answered(): void;
}

export interface AnswerOptions {
  answering(runId: string): Promise<Answering>;
  maxBodyBytes: number;
}

export interface AnswerHandlers {
  approve(c: Context, runId: string): Promise<Response>;
  deny(c: Context, runId: string): Promise<Response>;
  signal(c: Context, runId: string): Promise<Response>;
}

/** Decisions and signals: what people and other programs answer waiting runs with. Routes name `:nodeId` and `:name`. */
export function answerHandlers({ answering, maxBodyBytes }: AnswerOptions): AnswerHandlers {
  const decide = (operation: typeof approveNode) => async (c: Context, runId: string) => {
    const body = await readJson(c, { schema: decisionBody(), maxBytes: maxBodyBytes });
    const { target, answered } = await answering(runId);
    const result = await operation(target, {
      ...given(body),
      runId,
      nodeId: c.req.param("nodeId") as string,
    });
    answered();
    return jsonResponse(result);
  };
  return {
    approve: decide(approveNode),
    deny: decide(denyNode),
    async signal(c, runId) {
      const body = await readJson(c, { schema: signalBody(), maxBytes: maxBodyBytes });
      const { target, answered } = await answering(runId);
      const result = await signalRun(target, {
        ...given(body),
        runId,
        signal: c.req.param("name") as string,
      });
      answered();
      return jsonResponse(result);
    },
  };
}
