/** A gateway that was chosen instead of a database. */
export interface ChosenGateway {
  url: string;
  /** By the option; else by the environment, where commands to paste need not name it. */
  isNamed: boolean;
  /** As given: the token itself, `@file` or `-`. */
  token: string | undefined;
  /** The content of standard input, which can be read once. @default it has not been read */
  typedToken?: string;
}

/** Whether a command can ask a gateway; if not, why. */
export type GatewayUse =
  | "asked"
  | {
      readonly cannot: string;
      /** It is not about stored runs: a gateway of the environment does not concern it. */
      readonly isForFiles?: true;
    };
