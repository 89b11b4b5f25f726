/** @jsxImportSource react */
import type { ReactNode } from "react";
import { Link, type ViewAddress } from "../frame/router.js";
import { RANGES, type RangeName } from "../runs/time-range.js";

interface RangeHeadProps {
  title: string;
  since: RangeName;
  /** The same view with another time. */
  placeOf(since: RangeName): ViewAddress;
  children?: ReactNode;
}

/** The head of a view that counts over a time, which can be chosen. */
export function RangeHead({ title, since, placeOf, children }: RangeHeadProps) {
  return (
    <div className="view-head">
      <h1>{title}</h1>
      <nav className="segments" aria-label="Time">
        {(Object.keys(RANGES) as RangeName[]).map((name) => (
          <Link key={name} to={placeOf(name)} aria-current={name === since ? "page" : undefined}>
            {RANGES[name].name}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
