/** @jsxImportSource react */
import { useMemo, useState } from "react";
import { type BootData, createClient } from "../client/index.js";
import { keepPageToken, pageToken } from "../client/page-token.js";
import { ClientProvider } from "../react/index.js";
import { TokenForm } from "./access/TokenForm.js";
import { TokenContext } from "./access/token.js";
import { BaseProvider } from "./frame/router.js";
import { Shell } from "./frame/Shell.js";
import { ScopeContext } from "./frame/scope.js";
import { PaletteButton } from "./palette/PaletteButton.js";
import { Notices } from "./parts/notices.js";
import { View } from "./View.js";

interface AppProps {
  boot: BootData;
  /** Its root. */
  gateway: URL;
}

/** The whole page; a token is asked for where the gateway wants one. */
export function App({ boot, gateway }: AppProps) {
  const [token, setToken] = useState(() => pageToken() ?? null);
  const [refused, setRefused] = useState<string | null>(null);
  // Without watchers it holds no connection, so one that is not used any more needs no end.
  const client = useMemo(
    () => createClient({ url: gateway, ...(token !== null && { token }) }),
    [gateway, token],
  );
  const access = useMemo(
    () => ({
      refuse(message: string) {
        keepPageToken(null);
        setRefused(message);
        setToken(null);
      },
    }),
    [],
  );
  const enter = (given: string) => {
    keepPageToken(given);
    setRefused(null);
    setToken(given);
  };
  const base = (gateway.pathname + boot.pagePath).replace(/\/$/, "");
  if (boot.requiresToken && token === null) {
    return (
      <main className="alone">
        <TokenForm refused={refused} onToken={enter} />
      </main>
    );
  }
  return (
    <TokenContext value={access}>
      <ClientProvider client={client}>
        <BaseProvider value={base}>
          <ScopeContext value={boot.workflowKey}>
            <Shell
              title={boot.title}
              palette={<PaletteButton />}
              {...(token !== null && { onForget: () => access.refuse("") })}
            >
              <Notices>
                <View />
              </Notices>
            </Shell>
          </ScopeContext>
        </BaseProvider>
      </ClientProvider>
    </TokenContext>
  );
}
