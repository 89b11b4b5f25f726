/** @jsxImportSource react */
import { createContext, type ReactNode, use, useCallback, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { places } from "../frame/places.js";
import { Link, type ViewAddress } from "../frame/router.js";
import { Icon } from "./Icon.js";

/** What the answers of all actions on runs have. */
type Answered = Pick<GatewayMethods["retryTask"]["result"], "runId" | "seq">;

interface About {
  /** A sentence about what was done. */
  said: string;
  /** Which events record it, where the answer names none yet. */
  events: ViewAddress["query"];
}

interface Notice {
  key: number;
  said: string;
  to: ViewAddress;
  link: string;
}

/** More than these would hide what they are about. */
const MOST = 3;

const TellContext = createContext<(notice: Omit<Notice, "key">) => void>(() => {});

/** What was done last on this page, each with the way to the event that records it, until it is followed or dismissed. */
export function Notices({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const tell = useCallback((notice: Omit<Notice, "key">) => {
    setNotices((before) => [...before, { ...notice, key: (before.at(-1)?.key ?? 0) + 1 }].slice(-MOST));
  }, []);
  const dismiss = (notice: Notice) => setNotices((before) => before.filter(({ key }) => key !== notice.key));
  return (
    <TellContext value={tell}>
      {children}
      <div className="notices" role="status">
        {notices.map((notice) => (
          <p key={notice.key} className="card notice">
            <Icon name="check" /> <span>{notice.said}</span>{" "}
            <Link to={notice.to} onClick={() => dismiss(notice)}>
              {notice.link}
            </Link>{" "}
            <button type="button" className="plain" onClick={() => dismiss(notice)}>
              Dismiss
            </button>
          </p>
        ))}
      </div>
    </TellContext>
  );
}

/** Tells of an action once it is answered: of its event, or of where that will be. */
export function useNotice() {
  const tell = use(TellContext);
  return useCallback(
    async (action: Promise<Answered>, { said, events }: About): Promise<void> => {
      const { runId, seq } = await action;
      if (seq === null) tell({ said, to: places.events(runId, events), link: "Its events" });
      else tell({ said, to: places.events(runId, { seq: String(seq) }), link: `Event ${seq}` });
    },
    [tell],
  );
}
