// @ts-check
/** What the page remembers between visits: choices and the game at hand, nothing else. */

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
    // A browser that keeps nothing plays all the same.
  }
}
