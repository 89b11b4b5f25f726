import type { SandboxProvider } from "../model/sandbox-provider.js";

/**
 * A sandbox provider for tests: runs the child workflow in this process, without isolation, on the sandbox's copy of the
 * files. Give it as `provider`, or register it and name it `"in-process"`.
 */
export const inProcessSandbox: SandboxProvider = {
  id: "in-process",
  async run({ executeChildWorkflow }) {
    const { status, output, error, runId } = await executeChildWorkflow();
    const ended = status === "finished" || status === "cancelled" ? status : "failed";
    const why = error === undefined ? {} : { error: error.message };
    return { status: ended, runId, ...why, ...(output !== undefined && { output }) };
  },
};
