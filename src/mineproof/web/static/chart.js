// @ts-check
/** Two charts: a curve over moves, and rates with intervals. */

/**
 * @param {string} tag
 * @param {Record<string, any>} props
 * @param {...(Node | string)} children
 */
function svg(tag, props, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * The win probability along a game.
 * @param {{at: number, share: number, error?: number, slip?: boolean}[]} points
 * @param {number} length moves in all
 * @param {number} now the move that is shown
 * @param {number} room CSS pixels that it may be wide
 */
export function curve(points, length, now, room) {
  const width = Math.min(Math.max(room, 260), 960);
  const [height, left, bottom, top] = [width < 500 ? 150 : 190, 48, 20, 10];
  const x = (/** @type {number} */ at) => left + ((width - left - 8) * at) / Math.max(length, 1);
  const y = (/** @type {number} */ share) => top + (height - top - bottom) * (1 - share);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Win probability, move by move" });
  for (const share of [0, 0.5, 1]) {
    chart.append(svg("line", { class: "axis", x1: left, x2: width - 8, y1: y(share), y2: y(share) }));
    chart.append(svg("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share} %`));
  }
  chart.append(svg("text", { x: left, y: height - 4 }, "move 0"));
  chart.append(svg("text", { x: width - 8, y: height - 4, "text-anchor": "end" }, String(length)));
  if (points.length) {
    const upper = points.map((each) => `${x(each.at)},${y(Math.min(each.share + 2 * (each.error ?? 0), 1))}`);
    const lower = points.map((each) => `${x(each.at)},${y(Math.max(each.share - 2 * (each.error ?? 0), 0))}`).reverse();
    chart.append(svg("polygon", { class: "band", points: [...upper, ...lower].join(" ") }));
    chart.append(svg("polyline", { class: "line", points: points.map((each) => `${x(each.at)},${y(each.share)}`).join(" ") }));
    for (const each of points) chart.append(svg("circle", { class: each.slip ? "slip" : "dot", cx: x(each.at), cy: y(each.share), r: each.slip ? 4 : 2.6 }));
  }
  chart.append(svg("line", { class: "now", x1: x(now), x2: x(now), y1: top, y2: height - bottom }));
  return chart;
}

/**
 * Rates with their intervals, one below the other, on a common scale.
 * @param {{name: string, rate: number, interval: [number, number], words: string}[]} rows
 */
export function intervals(rows) {
  // In CSS pixels, so that its words are as large as all others.
  const width = Math.min(Math.max(window.innerWidth - 60, 280), 680);
  const [line, left, top, right] = [38, width < 500 ? 92 : 170, 24, width < 500 ? 66 : 100];
  const height = top + line * rows.length + 8;
  const least = Math.max(0, Math.min(...rows.map((row) => row.interval[0])) - 0.03);
  const most = Math.min(1, Math.max(...rows.map((row) => row.interval[1])) + 0.03);
  const known = rows.length > 0 && Number.isFinite(least) && Number.isFinite(most);
  const wide = known ? most - least : 1;
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((each) => wide / each <= (width < 500 ? 3 : 6)) ?? (width < 500 ? 0.5 : 0.25);
  const [first, last] = known ? [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)] : [0, Math.round(1 / step)];
  const [low, high] = [first * step, last * step];
  const x = (/** @type {number} */ share) => left + ((width - left - right) * (share - low)) / Math.max(high - low, 0.01);
  const label = rows.map((row) => `${row.name}: ${row.words}`).join("; ");
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Win rates in per cent. ${label}` });
  for (let mark = first; mark <= last; mark++) {
    const share = mark * step;
    chart.append(svg("line", { class: "axis", x1: x(share), x2: x(share), y1: top - 4, y2: height - 6 }));
    chart.append(svg("text", { x: x(share), y: 12, "text-anchor": "middle" }, `${Math.round(1000 * share) / 10} %`));
  }
  const room = Math.floor((left - 14) / 7.7); // letters; of a path its end says most
  rows.forEach((row, at) => {
    const y = top + line * at + line / 2;
    chart.append(svg("text", { class: "name", x: left - 14, y: y + 4, "text-anchor": "end" }, row.name.length > room ? `…${row.name.slice(1 - room)}` : row.name));
    chart.append(svg("line", { class: "whisker", x1: x(row.interval[0]), x2: x(row.interval[1]), y1: y, y2: y }));
    for (const end of row.interval) chart.append(svg("line", { class: "whisker", x1: x(end), x2: x(end), y1: y - 5, y2: y + 5 }));
    chart.append(svg("circle", { class: "dot", cx: x(row.rate), cy: y, r: 6 }));
    chart.append(svg("text", { x: width - 4, y: y + 4, "text-anchor": "end" }, row.words));
  });
  return chart;
}
