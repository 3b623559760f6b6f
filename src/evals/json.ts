/** JSON texts: comments and trailing commas are a notice, anything else that JSON does not have is an error. */
import {
  type AnyNode,
  type IdentifierNode,
  type MemberNode,
  type ObjectNode,
  type StringNode,
  parse,
} from "@humanwhocodes/momoa";
import type { Parsed, TextFault } from "./entry.ts";
import { problem } from "./problems.ts";
import { FaultError, MOST_LEVELS, TOO_DEEP, refuseTooManyTokens, repeatedKey } from "./yaml.ts";
import { jsonFault, jsonOf, messageOf, once } from "../text/format.ts";

/** The value of a text, every scalar as text; null for an empty text. */
export function readJsonText(text: string): Parsed<AnyNode> | TextFault {
  if (text.trim() === "") return { data: null, root: undefined, child: () => ({}) };
  try {
    refuseTooManyTokens(text);
    const { body } = parse(text, { mode: "jsonc", allowTrailingCommas: true, ranges: true });
    const data = dataOf(body, text);
    const offset = jsonOf(text) === undefined ? (strictOffset(text) ?? 0) : undefined;
    return {
      data,
      root: body,
      child: childOf,
      warnings: offset === undefined ? [] : [{ offset, problemAt: (at) => problem("no-strict-json", at) }],
    };
  } catch (thrown) {
    if (thrown instanceof FaultError) return thrown.fault;
    // momoa's parser is recursive.
    if (thrown instanceof RangeError) return { reason: TOO_DEEP, offset: 0, refused: true };
    return faultOfJson(text, thrown);
  }
}

/** The value of a node: text, null, lists and mappings. */
function dataOf(node: AnyNode, text: string, level = 0): unknown {
  const { start, end } = node.loc;
  if (level > MOST_LEVELS) throw new FaultError({ reason: TOO_DEEP, offset: start.offset, refused: true });
  if (node.type === "Array") return node.elements.map(({ value }) => dataOf(value, text, level + 1));
  if (node.type === "Object") {
    const repeated = repeatedKey(
      node.members.map(({ name }) => ({ name: keyText(name), offset: name.loc.start.offset })),
    );
    if (repeated) throw new FaultError(repeated);
    return Object.fromEntries(
      node.members.map(({ name, value }) => [keyText(name), dataOf(value, text, level + 1)]),
    );
  }
  if (node.type === "Null") return null;
  const written = text.slice(start.offset, end.offset);
  if (node.type !== "String") return written;
  try {
    return JSON.parse(written) as unknown;
  } catch (thrown) {
    // momoa lets line breaks and tabs through.
    throw new FaultError({ reason: jsonFault(messageOf(thrown)), offset: start.offset });
  }
}

function keyText(name: StringNode | IdentifierNode): string {
  return name.type === "String" ? name.value : name.name;
}

/** Members by their names, built once per object. */
const MEMBERS = new WeakMap<ObjectNode, ReadonlyMap<PropertyKey, MemberNode>>();

function childOf(node: AnyNode, key: PropertyKey): ReturnType<Parsed<AnyNode>["child"]> {
  if (node.type === "Array") return { value: node.elements[Number(key)]?.value };
  if (node.type !== "Object") return {};
  const byName = once(MEMBERS, node, () => new Map(node.members.map((one) => [keyText(one.name), one])));
  const member = byName.get(key);
  return { key: member?.name, value: member?.value };
}

/** The fault of a text that momoa refused. JSON.parse says more, where it means the same place. */
function faultOfJson(text: string, thrown: unknown): TextFault {
  const { offset = 0 } = thrown as { readonly offset?: number };
  const reason = messageOf(thrown).replace(/ \(\d+:\d+\)$/, "");
  if (reason.startsWith("Unexpected end")) return { reason: "it ends too early", offset: text.length };
  return { reason: strictOffset(text) === offset ? (strictFault(text) ?? reason) : reason, offset };
}

/** What JSON.parse says of a text; undefined where nothing is wrong. */
function strictFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    return jsonFault(messageOf(thrown));
  }
}

/** Where a text stops being JSON without comments and trailing commas. */
function strictOffset(text: string): number | undefined {
  try {
    parse(text);
    return undefined;
  } catch (thrown) {
    return (thrown as { readonly offset?: number }).offset;
  }
}
