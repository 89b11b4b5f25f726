import type { BaseCliAgentOptions } from "../options.js";

/** Options of Kimi, besides those of every command-line agent. */
export interface KimiAgentOptions extends BaseCliAgentOptions {
  /** Stands for a flag that the tool has dropped: refused. */
  thinking?: boolean;
  /** An agent profile for a new conversation. */
  agent?: string;
  /** Stands for a flag that the tool has dropped: refused. */
  maxRalphIterations?: number;
  /** Id of a conversation to continue. */
  session?: string;
  /** Continues the latest conversation of the working folder. */
  continue?: boolean;
  /** Folder with the tool's configuration and credentials. @default `KIMI_CODE_HOME`, else `~/.kimi-code` */
  configDir?: string;
  /** Stands for a flag that the tool has dropped: refused. */
  mcpConfigFile?: string[];
  /** Stands for a flag that the tool has dropped: refused. */
  mcpConfig?: string[];
}
