import type { BaseCliAgentOptions } from "../options.js";

/** A question that an extension of Pi puts to the user. */
export interface PiExtensionUiRequest {
  /** Tells it from other lines of the tool. */
  type: "extension_ui_request";
  /** Of this question; the answer repeats it. */
  id: string;
  /** `select`, `confirm`, `input`, `editor`, or a notice such as `notify`. */
  method: string;
  /** The question. */
  title?: string;
  /** The text of an empty field. */
  placeholder?: string;
  [key: string]: unknown;
}

/** The answer to such a question. */
export interface PiExtensionUiResponse {
  type: "extension_ui_response";
  id: string;
  value?: string;
  cancelled?: boolean;
  [key: string]: unknown;
}

/** Options of Pi, besides those of every command-line agent. */
export interface PiAgentOptions extends BaseCliAgentOptions {
  /** Such as `anthropic`. @default the tool's own */
  provider?: string;
  /** Goes to the variable of the provider. */
  apiKey?: string;
  /** Text after the tool's own system prompt. */
  appendSystemPrompt?: string;
  /** @default "json", or "rpc" when `onExtensionUiRequest` is set */
  mode?: "text" | "json" | "rpc";
  /** Whether the tool ends after the answer; not used in RPC mode. @default true */
  print?: boolean;
  /** Continues the latest conversation of the working folder. */
  continue?: boolean;
  /** Id of a conversation to continue. The tool's own picker needs a terminal, so `true` is refused. */
  resume?: string | boolean;
  /** File or id of a conversation to continue. */
  session?: string;
  /** Folder that conversations are kept in. @default the tool's own */
  sessionDir?: string;
  /** Keeps no conversation. @default false */
  noSession?: boolean;
  /** Patterns of models to choose from. */
  models?: string | string[];
  /** Makes the answer the list of models, filtered by a text. */
  listModels?: boolean | string;
  /** The only tools to use. */
  tools?: string[];
  /** No tools at all. @default false */
  noTools?: boolean;
  /** Files of extensions to load. */
  extension?: string[];
  /** Looks for no other extensions than those. @default false */
  noExtensions?: boolean;
  /** Files or folders of skills to load. */
  skill?: string[];
  /** Looks for no other skills than those. @default false */
  noSkills?: boolean;
  /** Files or folders of prompt templates to load. */
  promptTemplate?: string[];
  /** Looks for no other prompt templates than those. @default false */
  noPromptTemplates?: boolean;
  /** Files or folders of themes to load. */
  theme?: string[];
  /** Looks for no other themes than those. @default false */
  noThemes?: boolean;
  /** How much the model thinks. @default the tool's own */
  thinking?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Makes the tool write this conversation file as HTML instead of answering. */
  export?: string;
  /** Files whose content goes before the prompt; not in RPC mode. */
  files?: string[];
  /** Passed to the tool as `--verbose`. @default false */
  verbose?: boolean;
  /** Answers questions of extensions, in RPC mode; null cancels. */
  onExtensionUiRequest?(
    request: PiExtensionUiRequest,
  ): PiExtensionUiResponse | null | Promise<PiExtensionUiResponse | null>;
}
