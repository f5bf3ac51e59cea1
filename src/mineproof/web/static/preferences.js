// @ts-check
/** What the page stores between visits: choices and the current game. */

/**
 * @param {string} name
 * @param {any} [otherwise]
 */
export function recall(name, otherwise = null) {
  try {
    const text = localStorage.getItem(`mineproof.${name}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {any} value null forgets
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`mineproof.${name}`);
    else localStorage.setItem(`mineproof.${name}`, JSON.stringify(value));
  } catch {
    // Without storage, the page works but remembers nothing.
  }
}
