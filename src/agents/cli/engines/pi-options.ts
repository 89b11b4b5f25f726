import type { BaseCliAgentOptions } from "../options.js";

/** A question that an extension of Pi puts to the user. */
export interface PiExtensionUiRequest {
  type: "extension_ui_request";
  id: string;
  /** `select`, `confirm`, `input`, `editor`, or a notice such as `notify`. */
  method: string;
  title?: string;
  placeholder?: string;
  [key: string]: unknown;
}

export interface PiExtensionUiResponse {
  type: "extension_ui_response";
  id: string;
  value?: string;
  cancelled?: boolean;
  [key: string]: unknown;
}

export interface PiAgentOptions extends BaseCliAgentOptions {
  /** Such as `anthropic`. @default the tool's own */
  provider?: string;
  /** Goes to the variable of the provider. */
  apiKey?: string;
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
  sessionDir?: string;
  noSession?: boolean;
  /** Patterns of models to choose from. */
  models?: string | string[];
  /** Makes the answer the list of models, filtered by a text. */
  listModels?: boolean | string;
  /** The only tools to use. */
  tools?: string[];
  noTools?: boolean;
  extension?: string[];
  noExtensions?: boolean;
  skill?: string[];
  noSkills?: boolean;
  promptTemplate?: string[];
  noPromptTemplates?: boolean;
  theme?: string[];
  noThemes?: boolean;
  thinking?: "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Makes the tool write this conversation file as HTML instead of answering. */
  export?: string;
  /** Files whose content goes before the prompt; not in RPC mode. */
  files?: string[];
  verbose?: boolean;
  /** Answers questions of extensions, in RPC mode; null cancels. */
  onExtensionUiRequest?(
    request: PiExtensionUiRequest,
  ): PiExtensionUiResponse | null | Promise<PiExtensionUiResponse | null>;
}
