// @ts-check
/** Creates elements in one line. Strings become text, never markup. */

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * An element with properties, listeners (`onclick`) and attributes (the rest).
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else if (key.includes("-") || key === "role" || key === "for" || !(key in node)) {
      node.setAttribute(key, String(value));
    } else /** @type {any} */ (node)[key] = value;
  }
  append(node, children);
  return node;
}

/**
 * @param {Element} node
 * @param {(Child | Child[])[]} children
 */
export function append(node, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/**
 * @param {Element} node
 * @param {...(Child | Child[])} children
 */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

/**
 * A button; `key` is its keyboard shortcut, shown next to the label.
 * @param {string} label
 * @param {(event: Event) => void} onclick
 * @param {Record<string, any> & {key?: string}} [props]
 */
export function button(label, onclick, { key, ...props } = {}) {
  const hint = key ? el("kbd", { "aria-hidden": "true" }, key) : null;
  const shortcut = key ? { "aria-keyshortcuts": key } : {};
  return el("button", { type: "button", onclick, ...shortcut, ...props }, label, hint);
}

/**
 * A labelled drop-down list.
 * @template {string} T
 * @param {string} label
 * @param {(T | [T, string])[]} options values, or pairs of a value and its text
 * @param {T} value
 * @param {(value: T) => void} onchange
 */
export function select(label, options, value, onchange) {
  const box = el(
    "select",
    { onchange: (/** @type {any} */ event) => onchange(event.target.value) },
    options.map((option) => {
      const [name, words] = Array.isArray(option) ? option : [option, option];
      return el("option", { value: name, selected: name === value }, words);
    }),
  );
  return el("label", { class: "field" }, el("span", {}, label), box);
}

/**
 * A labelled input of one line.
 * @param {string} label
 * @param {Record<string, any>} props
 */
export function input(label, props) {
  return el("label", { class: "field" }, el("span", {}, label), el("input", props));
}

/**
 * A labelled checkbox.
 * @param {string} label
 * @param {boolean} checked
 * @param {(checked: boolean) => void} onchange
 */
export function checkbox(label, checked, onchange) {
  const box = el("input", {
    type: "checkbox",
    checked,
    onchange: (/** @type {any} */ event) => onchange(event.target.checked),
  });
  return el("label", { class: "tick" }, box, el("span", {}, label));
}

/**
 * A row of radio buttons.
 * @template {string} T
 * @param {string} label
 * @param {[T, string][]} options
 * @param {T} value
 * @param {(value: T) => void} onchange
 */
export function radioGroup(label, options, value, onchange) {
  const name = `segments-${label}-${Math.random().toString(36).slice(2)}`;
  return el(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": label },
    options.map(([each, words]) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name,
          value: each,
          checked: each === value,
          onchange: () => onchange(each),
        }),
        el("span", {}, words),
      ),
    ),
  );
}

/** `12.5 %`, without a line break before the sign. @param {number} share */
export function percent(share, digits = 1) {
  if (share > 0 && share < 0.001) return "<\u00a00.1\u00a0%";
  return `${(100 * share).toFixed(digits).replace("-", "−")}\u00a0%`;
}

/** Highlights the line of a move in a list, in the middle of what is visible. @param {HTMLElement} list @param {number} at */
export function markLine(list, at) {
  list.querySelector(".now")?.classList.remove("now");
  const line = /** @type {HTMLElement | undefined} */ (list.children[at - 1]?.firstElementChild);
  line?.classList.add("now");
  if (line) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
}
