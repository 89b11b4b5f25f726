import type { WindowSize } from "./use-viewport.js";

/** What a style sheet decides, and a file has to say itself. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-weight",
  "opacity",
  "paint-order",
] as const;

const SPACE = 12;

/** All of the graph as a file of its own, in the colours of the page. */
export function svgText(drawing: SVGGElement, { width, height }: WindowSize): string {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("width", String(Math.ceil(width + 2 * SPACE)));
  picture.setAttribute("height", String(Math.ceil(height + 2 * SPACE)));
  picture.setAttribute("viewBox", `${-SPACE} ${-SPACE} ${width + 2 * SPACE} ${height + 2 * SPACE}`);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x: -SPACE, y: -SPACE, width: "100%", height: "100%" }))
    ground.setAttribute(name, String(value));
  ground.setAttribute("fill", getComputedStyle(document.body).getPropertyValue("--surface"));
  const parts = [drawing, drawing.ownerSVGElement?.querySelector("defs") ?? null];
  for (const part of parts) {
    if (part === null) continue;
    const copy = part.cloneNode(true) as SVGElement;
    copy.removeAttribute("transform");
    setLooks(part, copy);
    picture.append(copy);
  }
  picture.insertBefore(ground, picture.firstChild);
  return new XMLSerializer().serializeToString(picture);
}

function setLooks(from: SVGElement, to: SVGElement): void {
  const originals = from.querySelectorAll("*");
  to.querySelectorAll("*").forEach((element, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of LOOKS) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "href", "tabindex", "data-edge", "data-name", "draggable"])
      element.removeAttribute(name);
  });
}

/** Pixels of a picture's longer side at most: browsers draw nothing larger. */
const LONGEST = 8_192;

/** The same as pixels, twice as many as points where there is room. */
export async function pngOf(svg: string, { width, height }: WindowSize): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, LONGEST / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil((width + 2 * SPACE) * scale);
    canvas.height = Math.ceil((height + 2 * SPACE) * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob === null ? reject(new DOMException("too large", "EncodingError")) : resolve(blob)),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
