import type { BaseCliAgentOptions } from "../options.js";

export interface KimiAgentOptions extends BaseCliAgentOptions {
  /** @default that of the tool's configuration */
  thinking?: boolean;
  /** One of the tool's own agents. */
  agent?: "default" | "okabe";
  /** More turns after the first, until the agent says that it is done; -1 without end. */
  maxRalphIterations?: number;
  /** Id of a conversation to continue. */
  session?: string;
  /** Continues the latest conversation of the working folder. */
  continue?: boolean;
  /** Folder with the tool's configuration and credentials. @default `KIMI_SHARE_DIR`, else `~/.kimi` */
  configDir?: string;
  /** Paths of MCP configurations. */
  mcpConfigFile?: string[];
  /** MCP configurations as JSON. */
  mcpConfig?: string[];
}
