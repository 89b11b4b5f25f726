/** @jsxImportSource react */
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { MemoryFacts } from "./MemoryFacts.js";
import { Threads } from "./Threads.js";

/** What memory holds beyond runs: facts by namespace and key, and conversations. The address has which of them. */
export default function MemoryPage() {
  const { query } = useRouter();
  const isThreads = query.get("show") === "threads";
  const namespace = query.get("namespace") ?? undefined;
  return (
    <>
      <div className="view-head">
        <h1>Memory</h1>
        <nav className="segments" aria-label="Memory">
          <Link to={places.memory({ namespace })} aria-current={isThreads ? undefined : "page"}>
            Facts
          </Link>
          <Link
            to={places.memory({ namespace, show: "threads" })}
            aria-current={isThreads ? "page" : undefined}
          >
            Conversations
          </Link>
        </nav>
      </div>
      {isThreads ? <Threads /> : <MemoryFacts />}
      <p className="hint">
        This page changes nothing. Facts are written and deleted where the database is:{" "}
        <code>treadle memory set</code>, <code>treadle memory delete</code>.
      </p>
    </>
  );
}
