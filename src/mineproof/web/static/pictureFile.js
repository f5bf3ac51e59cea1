// @ts-check
/** A board as a file: SVG from the same shapes, PNG from the canvas. */
import { ACROSS } from "./board/cells.js";

const SIDE = 24; // of a shape, in its own units

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * The cells of a board as they are painted, each a use of its shape.
 * @param {import("./board/board.js").Board} board
 */
export async function svg(board) {
  const source = await (await fetch(new URL("shapes.svg", import.meta.url))).text();
  const shapes = new DOMParser().parseFromString(source, "image/svg+xml");
  /** @type {Map<number, string>} */
  const names = new Map();
  for (const use of shapes.querySelectorAll("use[x]")) {
    const [x, y] = [Number(use.getAttribute("x")), Number(use.getAttribute("y"))];
    names.set((y / SIDE) * ACROSS + x / SIDE, use.getAttribute("href") ?? "");
  }
  const { rows, cols } = board.position;
  const looks = Array.from(board.painter.drawn, (look) => look & 255);
  const used = new Set(looks.map((look) => names.get(look)?.slice(1)));
  const defs = [...shapes.querySelectorAll("defs > g")].filter((shape) => used.has(shape.id)).map((shape) => shape.outerHTML.replace(/ xmlns="[^"]*"/g, ""));
  const cells = looks.flatMap((look, at) => (names.has(look) ? [`<use href="${names.get(look)}" x="${(at % cols) * SIDE}" y="${Math.floor(at / cols) * SIDE}"/>`] : []));
  const [width, height] = [cols * SIDE, rows * SIDE];
  const font = shapes.documentElement.getAttribute("font-family");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="-2 -2 ${width + 4} ${height + 4}" width="${width + 4}" height="${height + 4}" font-family="${font?.replaceAll('"', "'")}">`,
    "<title>Minesweeper position</title>", "<defs>", ...defs, "</defs>",
    `<rect x="-1" y="-1" width="${width + 2}" height="${height + 2}" rx="4" fill="#eef1f4" stroke="#8894a3" stroke-width="1.5"/>`,
    '<g font-size="16" font-weight="700" text-anchor="middle">', ...cells, "</g>", "</svg>", "",
  ].join("\n");
}

/** @param {import("./board/board.js").Board} board */
export function png(board) {
  return new Promise((resolve) => board.painter.picture().toBlob(resolve, "image/png"));
}
