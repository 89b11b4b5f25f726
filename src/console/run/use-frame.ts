import { useEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useClient } from "../../react/index.js";

export type Frame = GatewayMethods["getFrame"]["result"];

export interface FrameRead {
  /** The one that was asked for, or, until it is there, the one before it. */
  frame: Frame | undefined;
  /** Why the one that was asked for is not there. */
  error: Error | undefined;
  isLoading: boolean;
}

/** A read that failed is tried again, milliseconds. */
const AGAIN_MS = 5_000;

/** A frame of a run. It never changes: no news of the run make it be read again. */
export function useFrame(runId: string, frameNo: number): FrameRead {
  return useFrameRead(runId, frameNo, (known) => known !== frameNo);
}

/**
 * The newest frame of a run. The first look does not wait until its number is known.
 * @param frameNo undefined: not known yet; 0: there is none
 */
export function useNewestFrame(runId: string, frameNo: number | undefined): FrameRead {
  const [isBegun, setBegun] = useState(false);
  const read = useFrameRead(
    runId,
    isBegun ? frameNo : undefined,
    (known) => frameNo !== 0 && (known ?? -1) < (frameNo ?? 0),
  );
  const isThere = read.frame !== undefined || read.error !== undefined;
  useEffect(() => setBegun(isThere), [isThere]);
  return read;
}

function useFrameRead(
  runId: string,
  frameNo: number | undefined,
  isWanted: (known: number | undefined) => boolean,
): FrameRead {
  const client = useClient();
  const [read, setRead] = useState<Omit<FrameRead, "isLoading">>({ frame: undefined, error: undefined });
  const known = read.frame?.runId === runId ? read.frame : undefined;
  const isNeeded = isWanted(known?.frameNo);
  useEffect(() => {
    if (!isNeeded) return;
    const stop = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    const look = () =>
      client.getFrame({ runId, ...(frameNo !== undefined && { frameNo }) }, { signal: stop.signal }).then(
        (frame) => stop.signal.aborted || setRead({ frame, error: undefined }),
        (error: Error) => {
          if (stop.signal.aborted) return;
          setRead(({ frame }) => ({ frame, error }));
          again = setTimeout(() => void look(), AGAIN_MS);
        },
      );
    void look();
    return () => {
      stop.abort();
      clearTimeout(again);
    };
  }, [client, runId, frameNo, isNeeded]);
  const error = isNeeded ? read.error : undefined;
  return { frame: known, error, isLoading: isNeeded && known === undefined && error === undefined };
}
