/** @jsxImportSource react */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { bootData } from "../client/index.js";
import { App } from "./App.js";
import "./console.css";

const boot = bootData();
const root = document.getElementById("root");
if (root !== null && boot !== undefined) {
  createRoot(root).render(
    <StrictMode>
      <App boot={boot} />
    </StrictMode>,
  );
}
