import type { ErrorFamily } from "../code-entry.js";

/** Language models, coding agents run as processes, and their accounts. */
export const agentCodes = {
  AGENT_CONFIG_INVALID: {
    when: "an agent's options cannot work: an unknown model, a removed flag, a missing key",
    next: "Correct the option named in the message.",
    retryable: false,
  },
  AGENT_PREFLIGHT_FAILED: {
    when: "an agent's own check before its first attempt fails",
    next: "Do what the check asks for, such as installing the command or signing in, then retry the task.",
    retryable: false,
  },
  AGENT_CLI_ERROR: {
    when: "an agent's process exits with an error, or its output stream breaks off",
    next: "Read what the command said, in the message and in `details.stderr` if it wrote there; run it by hand if that is not enough.",
  },
  AGENT_PROVIDER_ERROR: {
    when: "a model provider answers a call with an error, or its stream breaks off",
    next: "Look at the message, and at `details.status` if the provider answered; an outage passes, a refused request needs another prompt or model.",
  },
  AGENT_QUOTA_EXCEEDED: {
    when: "the agent's account has reached its usage limit",
    next: "Wait for the reset (`details.resetAtMs`, when it is known), or add another agent to the task's chain.",
  },
  AGENT_REFUSED: {
    when: "the model declines to answer, or its provider filters the answer",
    retryable: false,
    next: "Reword the prompt, or add an agent with another model to the task's chain: it is asked next.",
  },
  AGENT_RPC_FILE_ARGS: {
    when: "an agent in RPC mode is given files as command arguments",
    next: "Name the files in the prompt, or use another mode of the agent.",
    retryable: false,
  },
  AGENT_BUILD_COMMAND: {
    when: "an agent class does not say which command it runs",
    next: "Implement `buildCommand` in that class.",
    retryable: false,
  },
  AGENT_DIAGNOSTIC_TIMEOUT: {
    when: "a diagnostic check of an agent takes too long",
    next: "Run the agent's command by hand: it may wait for a sign-in or for the network.",
  },
  ACCOUNT_INVALID: {
    when: "an account entry lacks a field or has one of the wrong form",
    next: "Correct the field named in the message.",
    retryable: false,
    httpStatus: 400,
  },
  ACCOUNT_NOT_FOUND: {
    when: "no account has this label",
    next: "List the accounts and use one of their labels, or add the account.",
    retryable: false,
    httpStatus: 404,
  },
  ACCOUNT_DUPLICATE_LABEL: {
    when: "an account with this label already exists",
    next: "Choose another label, or remove the existing account first.",
    retryable: false,
    httpStatus: 409,
  },
  ACCOUNTS_FILE_INVALID: {
    when: "the accounts file is not valid JSON of the expected form",
    next: "Repair the file named in the message, or move it away and add the accounts again.",
    retryable: false,
  },
} as const satisfies ErrorFamily;
