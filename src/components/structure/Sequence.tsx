import type { Key, ReactElement, ReactNode } from "react";
import { hostComponent } from "../host-component.js";

export interface SequenceProps {
  key?: Key;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  children?: ReactNode;
}

/** Children one after the other. */
export const Sequence = hostComponent<(props: SequenceProps) => ReactElement>("Sequence");
