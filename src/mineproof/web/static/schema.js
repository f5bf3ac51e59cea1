// @ts-check
/**
 * Checks JSON values against JSON Schemas. The twin of `problem` in `mineproof/messages/decoding.py`.
 */
import { say } from "./phrases.js";
import { RequestRefused, invalid, quoted, repr, unknown } from "./kernel/errors.js";

/**
 * @typedef {object} Schema the part of JSON Schema that is used
 * @property {string} [type]
 * @property {string} [$ref]
 * @property {Schema[]} [anyOf]
 * @property {string[]} [enum]
 * @property {string} [title]
 * @property {string} [description]
 * @property {string} [pattern]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [maxLength]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {Schema[]} [prefixItems]
 * @property {Schema | boolean} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema | boolean} [additionalProperties]
 */
/** @typedef {[message: string, path: string]} At what the message is called, and a path inside it */

/**
 * The error for the first place where a JSON value does not fit a schema, if any.
 * @param {unknown} value
 * @param {Schema} schema
 * @param {Record<string, Schema>} definitions
 * @param {string} name what errors call the value
 * @returns {RequestRefused | undefined}
 */
export const problem = (value, schema, definitions, name) => problems(value, schema, definitions, [name, ""]).next().value ?? undefined;

/** @param {unknown} value @param {Schema} schema @param {Record<string, Schema>} definitions @param {At} at @returns {Generator<RequestRefused, void>} */
function* problems(value, schema, definitions, at) {
  const every = each(schema, definitions).filter((one) => hasType(value, one));
  const fitting = every.find((one) => hasTag(value, one)) ?? every[0];
  if (!fitting) yield wrongKind(value, schema, definitions, at);
  else if (fitting.enum) {
    if (!fitting.enum.includes(String(value))) yield unknown(`value of ${quote(at)}`, String(value), fitting.enum);
  } else if (typeof value === "number") yield* checkNumber(value, fitting, at);
  else if (typeof value === "string") {
    const { maxLength: most = Infinity, pattern = "" } = fitting;
    const got = value.length > most ? [...value].length : value.length;
    if (got > most) yield invalid("refusal.length", { name: quote(at), most, got });
    else if (!new RegExp(pattern, "u").test(value)) yield wrongKind(value, schema, definitions, at);
  } else if (Array.isArray(value)) yield* checkList(value, fitting, definitions, at);
  else if (isObject(value)) yield* checkObject(value, fitting, definitions, at);
}

/** @param {number} value @param {Schema} schema @param {At} at */
function* checkNumber(value, { minimum: least = -Infinity, maximum: most = Infinity }, at) {
  if (least <= value && value <= most) return;
  const about = { name: quote(at), least, most, value: quoted(value) };
  yield invalid(most === Infinity ? "refusal.least" : "refusal.range", about);
}

/** @param {unknown[]} values @param {Schema} schema @param {Record<string, Schema>} definitions @param {At} at */
function* checkList(values, schema, definitions, at) {
  const { prefixItems: first = [], minItems: least = 0, maxItems: most = Infinity, items = {} } = schema;
  const about = { name: quote(at), least, most, got: values.length };
  if (first.length && (values.length < least || values.length > most)) yield wrongKind(values, schema, definitions, at);
  else if (values.length < least) yield invalid("refusal.few", about);
  else if (values.length > most) yield invalid("refusal.many", about);
  for (const [number, value] of values.entries()) yield* problems(value, first[number] ?? (items instanceof Object ? items : {}), definitions, [at[0], `${at[1]}[${number}]`]);
}

/** @param {Record<string, unknown>} value @param {Schema} schema @param {Record<string, Schema>} definitions @param {At} at */
function* checkObject(value, { properties: fields = {}, additionalProperties: more = true, required = [] }, definitions, at) {
  for (const [name, one] of Object.entries(value)) {
    const path = at[1] ? `${at[1]}.${name}` : name;
    if (Object.hasOwn(fields, name)) yield* problems(one, fields[name], definitions, [at[0], path]);
    else if (more === false) yield unknown(`field of ${quote(at)}`, name, Object.keys(fields));
    else if (more !== true) yield* problems(one, more, definitions, [at[0], path]);
  }
  for (const name of required) {
    const about = fields[name].description ?? fields[name].enum?.join(", ") ?? "none";
    if (!Object.hasOwn(value, name)) yield invalid("refusal.missing", { what: quote(at), name: repr(name), about });
  }
}

/** The alternatives of a schema, or the schema itself. @param {Schema} schema @param {Record<string, Schema>} definitions @returns {Schema[]} */
function each(schema, definitions) {
  const one = schema.$ref ? { ...definitions[schema.$ref], ...schema } : schema;
  return one.anyOf ? one.anyOf.flatMap((inner) => each(inner, definitions)) : [one];
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a JSON value has the type that a schema asks for; its bounds come later. @param {unknown} value @param {Schema} schema */
function hasType(value, schema) {
  const type = schema.enum ? "string" : schema.type;
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "object") return isObject(value);
  return type === undefined || typeof value === type;
}

/** Whether an object has the field with a single allowed value that distinguishes types. @param {unknown} value @param {Schema} schema */
const hasTag = (value, { properties: fields = {} }) => isObject(value) && Object.entries(fields).some(([name, { enum: names }]) => names?.length === 1 && names[0] === value[name]);

/** @param {unknown} value @param {Schema} schema @param {Record<string, Schema>} definitions @param {At} at */
function wrongKind(value, schema, definitions, at) {
  const every = each(schema, definitions);
  const some = every.filter((one) => one.type !== "null");
  const kinds = [...new Set((some.length ? some : every).map(kindOf))];
  const last = kinds.pop();
  const kind = kinds.length ? say("list.or", { first: kinds.join(", "), last }) : last;
  return invalid("refusal.kind", { name: quote(at), kind, value: quoted(value) });
}

/** What a schema asks for, in words: its values, its title or its type. @param {Schema} schema @returns {string} */
function kindOf({ enum: names, title, properties, type }) {
  if (names) return say("refusal.kind-names", { names: names.join(", ") });
  return title && !properties ? title : say("refusal.kind-type", { type });
}

/** The quoted path to a value, or the name of the message for the message itself. @param {At} at */
const quote = ([name, path]) => (path ? repr(path) : name);
