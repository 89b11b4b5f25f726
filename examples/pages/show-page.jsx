/** @jsxImportSource react */
import { createRoot } from "react-dom/client";
import { createClient } from "treadle/client";
import { ClientProvider } from "treadle/react";
import "./page.css";

/** Fills a page of the gateway. The client finds the gateway, and the token that the tab was opened with. */
export function showPage(content) {
  const root = document.getElementById("root");
  if (root === null) throw new Error("This module is for a page of a gateway.");
  createRoot(root).render(
    <ClientProvider client={createClient()}>
      <main>{content}</main>
    </ClientProvider>,
  );
}
