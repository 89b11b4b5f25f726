import { createContext, useContext, useEffect } from "react";
import { ClientError } from "../../client/index.js";

export interface TokenAccess {
  /** The gateway does not accept the token: another one is asked for. */
  refuse(message: string): void;
}

export const TokenContext = createContext<TokenAccess>({ refuse: () => {} });

/** Asks for another token when the gateway does not accept the one there is. */
export function useRefusal(error: Error | undefined): void {
  const { refuse } = useContext(TokenContext);
  useEffect(() => {
    if (ClientError.is(error, "UNAUTHORIZED")) refuse(error.message);
  }, [error, refuse]);
}
