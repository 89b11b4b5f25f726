/** @jsxImportSource react */
import { useMemo, useState } from "react";
import { type BootData, createClient } from "../client/index.js";
import { keepPageToken, pageToken } from "../client/page-token.js";
import { ClientProvider } from "../react/index.js";
import { Approvals } from "./Approvals.js";
import { RunPage } from "./RunPage.js";
import { Runs } from "./Runs.js";
import { TokenForm } from "./TokenForm.js";
import { TokenContext } from "./token.js";
import { useRoute } from "./use-route.js";

/** Runs and what waits for a person; the token is asked for where the gateway wants one. */
export function App({ boot }: { boot: BootData }) {
  const [token, setToken] = useState(() => pageToken() ?? null);
  const [refused, setRefused] = useState<string | null>(null);
  // Without watchers it holds no connection, so one that is not used any more needs no end.
  const client = useMemo(() => createClient(token === null ? {} : { token }), [token]);
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
  if (boot.requiresToken && token === null) {
    return (
      <Frame title={boot.title}>
        <TokenForm refused={refused} onToken={enter} />
      </Frame>
    );
  }
  return (
    <TokenContext value={access}>
      <ClientProvider client={client}>
        <Frame title={boot.title} {...(token !== null && { onForget: () => access.refuse("") })}>
          <Page workflowKey={boot.workflowKey} />
        </Frame>
      </ClientProvider>
    </TokenContext>
  );
}

function Page({ workflowKey }: { workflowKey: string | null }) {
  const { page, runId } = useRoute();
  const filter = workflowKey === null ? {} : { workflow: workflowKey };
  if (page === "run" && runId !== null) return <RunPage key={runId} runId={runId} />;
  return (
    <>
      <Approvals filter={filter} heading="Waits for a decision" />
      <Runs filter={filter} />
    </>
  );
}

function Frame({
  title,
  onForget,
  children,
}: {
  title: string;
  onForget?: () => void;
  children?: React.ReactNode;
}) {
  return (
    <>
      <header className="top">
        <a href="#/">{title}</a>
        {onForget !== undefined && (
          <button type="button" className="quiet" onClick={onForget}>
            Forget the token
          </button>
        )}
      </header>
      <main>{children}</main>
    </>
  );
}
