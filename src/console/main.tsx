/** @jsxImportSource react */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { bootData } from "../client/index.js";
import { App } from "./App.js";
import { applyTheme } from "./frame/theme.js";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/views.css";
import "./style/lists.css";
import "./style/run.css";
import "./style/node.css";
import "./style/graph.css";
import "./style/timeline.css";
import "./style/palette.css";
import "./style/form.css";

const boot = bootData();
const root = document.getElementById("root");
if (root !== null && boot !== undefined) {
  applyTheme();
  // Read now: the way to the gateway is relative to the address that the page was loaded with.
  const gateway = new URL(boot.basePath, window.location.href);
  createRoot(root).render(
    <StrictMode>
      <App boot={boot} gateway={gateway} />
    </StrictMode>,
  );
}
