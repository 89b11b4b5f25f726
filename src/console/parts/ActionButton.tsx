/** @jsxImportSource react */
import type { ReactNode } from "react";
import type { GatewayMethodName } from "../../client/index.js";
import { useAllowed } from "../access/allowed.js";
import { Icon } from "./Icon.js";
import type { IconName } from "./icons.js";

interface ActionButtonProps {
  /** The method that it calls: who may not is told which scope is missing. */
  method: GatewayMethodName;
  icon?: IconName;
  look?: "main" | "danger" | "plain";
  type?: "button" | "submit";
  isDisabled?: boolean;
  describedBy?: string;
  onClick?(): void;
  children: ReactNode;
}

/** A button of an action. One that the caller may not take stays, disabled, with the scope that it needs. */
export function ActionButton({
  method,
  icon,
  look,
  type = "button",
  isDisabled = false,
  describedBy,
  onClick,
  children,
}: ActionButtonProps) {
  const scope = useAllowed().missing(method);
  return (
    <button
      type={type}
      className={look === "plain" ? "plain" : `button ${look ?? ""}`}
      disabled={isDisabled || scope !== undefined}
      title={scope === undefined ? undefined : `Needs the scope ${scope}`}
      aria-describedby={describedBy}
      onClick={onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {scope !== undefined && <span className="needs"> needs {scope}</span>}
    </button>
  );
}
