/** @jsxImportSource react */
import type { ReactNode } from "react";
import { useApprovals } from "../../react/index.js";
import { useAllowed } from "../access/allowed.js";
import { Icon } from "../parts/Icon.js";
import type { IconName } from "../parts/icons.js";
import { shown } from "../parts/text.js";
import { SavedErrors } from "../catalog/SavedErrors.js";
import { ConnectionBanner } from "./ConnectionBanner.js";
import { MoreViews } from "./MoreViews.js";
import { places } from "./places.js";
import { useScope } from "./scope.js";
import { Link, type ViewAddress, useRouter } from "./router.js";
import { ThemeSwitch } from "./ThemeSwitch.js";

interface ShellProps {
  title: string;
  /** Present where there is a token to forget. */
  onForget?: () => void;
  /** What finds everything else. */
  palette: ReactNode;
  children: ReactNode;
}

/** What stands around every view: where one can go, and whether what is shown is fresh. */
export function Shell({ title, onForget, palette, children }: ShellProps) {
  const { caller } = useAllowed();
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="side">
        <Link to={places.runs()} className="brand">
          <Mark /> <span>{title}</span>
        </Link>
        {palette}
        <Navigation />
        <div className="side-end">
          {caller !== null && (
            <p className="hint caller" title={shown(caller)}>
              <Icon name="key" /> {shown(caller)}
            </p>
          )}
          {onForget !== undefined && (
            <button type="button" className="plain" onClick={onForget}>
              <Icon name="leave" /> <span>Forget the token</span>
            </button>
          )}
          <ThemeSwitch />
        </div>
      </header>
      <div className="body">
        <ConnectionBanner />
        <SavedErrors />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

/** Views that a narrow page has in a menu. */
const SECOND: readonly { name: string; icon: IconName; to: ViewAddress }[] = [
  { name: "Webhooks", icon: "hook", to: places.webhooks() },
  { name: "Agents", icon: "robot", to: places.agents() },
  { name: "Scores", icon: "gauge", to: places.scores() },
  { name: "Memory", icon: "book", to: places.memory() },
  { name: "Status", icon: "pulse", to: places.status() },
];

function Navigation() {
  const waiting = useApprovals(useScope()).data;
  const count = waiting?.approvals.length ?? 0;
  return (
    <nav aria-label="Views">
      <Entry to={places.runs()} icon="list" name="Runs" />
      <Entry to={places.inbox()} icon="inbox" name="Inbox">
        {count > 0 && (
          <span className="count">
            {count}
            {waiting?.nextCursor != null && "+"}
            <span className="unseen"> waiting</span>
          </span>
        )}
      </Entry>
      <Entry to={places.catalog()} icon="box" name="Workflows" />
      <Entry to={places.schedules()} icon="calendar" name="Schedules" />
      {SECOND.map(({ name, ...entry }) => (
        <Entry key={name} name={name} {...entry} isSecond />
      ))}
      <MoreViews views={SECOND} />
    </nav>
  );
}

interface EntryProps {
  to: ViewAddress;
  icon: IconName;
  name: string;
  isSecond?: boolean;
  children?: ReactNode;
}

function Entry({ to, icon, name, isSecond = false, children }: EntryProps) {
  const { parts } = useRouter();
  const isHere = (parts[0] ?? "runs") === to.parts[0];
  return (
    <Link to={to} className={isSecond ? "entry second" : "entry"} aria-current={isHere ? "page" : undefined}>
      <Icon name={icon} /> <span>{name}</span> {children}
    </Link>
  );
}

/** Warp and weft. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M4 1.5v13M8 1.5v13M12 1.5v13" opacity="0.45" />
      <path d="M1.5 5h13M1.5 11h13" />
    </svg>
  );
}
