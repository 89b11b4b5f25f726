import type { SchemaTraits } from "./schema-traits.js";
import type { ProviderOptions, SdkModel } from "./sdk-options.js";

/** The differences between SDK agents. */
export interface SdkProvider {
  /** Names the agent's events. */
  readonly engine: string;
  readonly modelId: string;
  /** Whether output schemas go to the model as schemas rather than as text. */
  readonly native: boolean;
  /** The model to call. @throws AGENT_CONFIG_INVALID without package or credentials */
  connect(): Promise<SdkModel>;
  /** Texts that no error may repeat. */
  secrets(): readonly string[];
  /** Provider options without which the provider would refuse or mutilate a schema. */
  schemaOptions(traits: SchemaTraits): ProviderOptions;
}
