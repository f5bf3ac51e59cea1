// @ts-check
/** The sheet of shapes, drawn once per cell size and then copied. */
import { ACROSS } from "./cells.js";

const ROWS = 8;

/** @type {Promise<HTMLImageElement> | null} */
let loading = null;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("shapes.svg could not be loaded"));
    image.src = new URL("../shapes.svg", import.meta.url).href;
  });
  return loading;
}

/** @type {Map<number, Promise<HTMLCanvasElement>>} */
const sheets = new Map();

/**
 * The sheet with cells of a given size in device pixels.
 * @param {number} side
 * @returns {Promise<HTMLCanvasElement>}
 */
export function sheetOf(side) {
  let sheet = sheets.get(side);
  if (!sheet) {
    sheet = load().then((image) => {
      const canvas = document.createElement("canvas");
      canvas.width = ACROSS * side;
      canvas.height = ROWS * side;
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas;
    });
    if (sheets.size > 8) sheets.clear();
    sheets.set(side, sheet);
  }
  return sheet;
}

/**
 * One shape as an icon for texts and legends.
 * @param {number} look
 * @param {number} [side] in CSS pixels
 */
export function icon(look, side = 22) {
  const canvas = document.createElement("canvas");
  const pixels = Math.round(side * Math.min(window.devicePixelRatio || 1, 3));
  canvas.width = canvas.height = pixels;
  canvas.className = "icon";
  canvas.style.width = canvas.style.height = `${side}px`;
  canvas.setAttribute("aria-hidden", "true");
  void sheetOf(pixels).then((sheet) => {
    const [x, y] = [(look % ACROSS) * pixels, Math.floor(look / ACROSS) * pixels];
    canvas.getContext("2d")?.drawImage(sheet, x, y, pixels, pixels, 0, 0, pixels, pixels);
  });
  return canvas;
}
