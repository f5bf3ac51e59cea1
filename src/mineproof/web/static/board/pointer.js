// @ts-check
/**
 * Mouse, pen and touch on a board. A mouse opens when released and flags when pressed; a tap opens,
 * a long press flags, and fingers can scroll.
 */

/** @typedef {import("./cells.js").Cell} Cell */

/**
 * @typedef {object} Gestures
 * @property {(cell: Cell, event: PointerEvent) => void} [primary] click or tap
 * @property {(cell: Cell, event: PointerEvent) => void} [secondary] right button or long press
 * @property {(cell: Cell) => void} [chord] middle button, or both
 * @property {(cell: Cell, button: number) => void} [drag] while a button is held, cell by cell
 * @property {(cell: Cell, steps: number) => void} [wheel]
 * @property {(cell: Cell | null) => void} [hover]
 * @property {(cell: Cell | null) => void} [press] what is held down, before it is released
 */

const LONG = 380; // milliseconds
const SLACK = 9; // CSS pixels that a finger may move during a press

/**
 * @param {HTMLElement} surface
 * @param {(x: number, y: number) => Cell | null} cellAt of a place in the window
 * @param {() => Gestures} gestures
 */
export function attach(surface, cellAt, gestures) {
  /** @type {{cell: Cell, x: number, y: number, buttons: number, timer: number, spent: boolean} | null} */
  let held = null;

  const end = () => {
    if (held) window.clearTimeout(held.timer);
    held = null;
    gestures().press?.(null);
  };

  surface.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event.clientX, event.clientY);
    if (!cell) return;
    const does = gestures();
    if (held) {
      // A second button while one is held.
      held.spent = true;
      if (event.pointerType === "mouse") does.chord?.(held.cell);
      return;
    }
    const { clientX: x, clientY: y, button, buttons } = event;
    held = { cell, x, y, buttons, timer: 0, spent: false };
    if (does.drag) {
      if (event.pointerType === "mouse") does.drag(cell, button);
      held.spent = event.pointerType === "mouse";
    } else if (event.pointerType !== "mouse") {
      held.timer = window.setTimeout(() => {
        if (!held) return;
        held.spent = true;
        navigator.vibrate?.(15);
        gestures().press?.(null);
        gestures().secondary?.(cell, event);
      }, LONG);
    } else if (button === 1) {
      held.spent = true;
      does.chord?.(cell);
    } else if (button === 2) {
      held.spent = true;
      does.secondary?.(cell, event);
    }
    if (!held.spent) does.press?.(cell);
    if (event.pointerType === "mouse") event.preventDefault();
    surface.closest("[role=grid]")?.dispatchEvent(new CustomEvent("hand", { detail: cell }));
  });

  surface.addEventListener("pointermove", (event) => {
    const cell = cellAt(event.clientX, event.clientY);
    if (event.pointerType === "mouse") gestures().hover?.(cell);
    if (!held) return;
    const does = gestures();
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLACK;
    if (does.drag && event.pointerType === "mouse") {
      if (cell && (cell[0] !== held.cell[0] || cell[1] !== held.cell[1])) {
        held.cell = cell;
        does.drag(cell, held.buttons & 2 ? 2 : 0);
      }
    } else if (event.pointerType !== "mouse" && far) {
      held.spent = true;
      window.clearTimeout(held.timer);
      does.press?.(null);
    } else if (event.pointerType === "mouse" && !held.spent && cell) {
      held.cell = cell;
      does.press?.(cell);
    }
  });

  surface.addEventListener("pointerup", (event) => {
    const was = held;
    const more = event.pointerType === "mouse" && event.buttons !== 0;
    if (!more) end();
    if (!was || was.spent) return;
    const cell = cellAt(event.clientX, event.clientY);
    if (cell && cell[0] === was.cell[0] && cell[1] === was.cell[1]) gestures().primary?.(cell, event);
  });
  surface.addEventListener("pointercancel", end);
  surface.addEventListener("pointerleave", (event) => {
    gestures().hover?.(null);
    if (event.pointerType === "mouse") end();
  });
  surface.addEventListener("contextmenu", (event) => event.preventDefault());
  surface.addEventListener(
    "wheel",
    (event) => {
      const cell = cellAt(event.clientX, event.clientY);
      const { wheel } = gestures();
      if (!wheel || !cell || event.ctrlKey) return;
      event.preventDefault();
      wheel(cell, event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
}
