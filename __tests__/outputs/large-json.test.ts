import { describe, expect, test } from "@jest/globals";
import { parseLargeJson, parseLargeJsonLines } from "../../src/outputs/content.ts";

/** Longer than what is parsed as a whole. */
const LONG = 'x→\\"{[,:]}\\u0041\n\\'.repeat(200_000);

describe("a large JSON text parses as JSON.parse does", () => {
  test.each<[string, unknown]>([
    [
      "results",
      { eval_name: "e", tasks: [{ test_id: "a", runs: [{ final_output: LONG }, { n: 1.5e3 }] }, null, true] },
    ],
    ["a list of long texts", [LONG, LONG, "", "end"]],
    ["a long text alone", LONG],
    ["keys that are strange", { "": LONG, 'a"b': [LONG], __proto__: { polluted: LONG }, ключ: {} }],
    ["deeper than it is taken apart", [[[[[[[[{ deep: LONG }]]]]]]]]],
    ["a long empty list", JSON.parse(`[${" ".repeat(10)}]`)],
  ])("%s", (_case, value) => {
    for (const text of [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      ` \r\n\t${JSON.stringify(value)}\n`,
    ])
      expect(parseLargeJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  test("and so do long JSON lines, blank lines aside", () => {
    const rows = [{ a: LONG }, { b: [LONG, null] }, { c: 1 }];
    for (const end of ["\n", "\r\n", "\n\n \n"]) {
      const text = rows.map((row) => JSON.stringify(row)).join(end);
      expect(parseLargeJsonLines(Buffer.from(text))).toEqual(rows);
      expect(parseLargeJsonLines(Buffer.from(`${text}${end}`))).toEqual(rows);
    }
    expect(() => parseLargeJsonLines(Buffer.from('{"a": 1}\n{"a": '))).toThrow(SyntaxError);
  });

  test("the later of two equal keys wins, and no prototype is set", () => {
    const text = `{"a": 1, "b": ${JSON.stringify(LONG)}, "a": 2, "__proto__": {"x": 1}}`;
    const value = parseLargeJson(Buffer.from(text)) as Record<string, unknown>;
    expect(value.a).toBe(2);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  const long = JSON.stringify(LONG);
  test.each([
    ["cut off in a text", `{"a": ${long.slice(0, -1)}`],
    ["cut off after a value", `{"a": ${long}`],
    ["closed by the wrong bracket", `{"a": ${long}]`],
    ["with a comma too many", `[${long},]`],
    ["with a comma too few", `[${long} 1]`],
    ["with text after it", `[${long}] done`],
    ["without a colon", `{"a" ${long}}`],
    ["without a key", `{${long}}`],
    ["with a bare key", `{a: ${long}}`],
    ["with nothing but space in it", `[${" ".repeat(2_000_000)},]`],
  ])("throws for one %s, as JSON.parse does", (_case, text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => parseLargeJson(Buffer.from(text))).toThrow(SyntaxError);
  });
});
