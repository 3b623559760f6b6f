import { describe, expect, test } from "@jest/globals";
import { redactAll, redactor } from "../../src/report/redact.ts";

const KEY = "sk-0123456789abcdef";
const TOKEN = "ghs_ABCDEFGHIJKLMNOP";

describe("the redactor", () => {
  test.each<[string, readonly (string | undefined)[], string, string]>([
    [
      "every occurrence of every secret",
      [KEY, TOKEN],
      `a ${KEY} b ${TOKEN} c ${KEY}`,
      "a [redacted] b [redacted] c [redacted]",
    ],
    ["a secret inside a word", [KEY], `x${KEY}y`, "x[redacted]y"],
    [
      "the longer of two secrets that begin alike",
      ["sk-01234567", "sk-0123456789"],
      "sk-0123456789",
      "[redacted]",
    ],
    [
      "the longer one whatever the order",
      ["sk-0123456789", "sk-01234567"],
      "sk-0123456789 sk-01234567",
      "[redacted] [redacted]",
    ],
    ["a secret of exactly eight characters", ["12345678"], "12345678", "[redacted]"],
    [
      "no secret that is too short to be one",
      ["1234567", "", undefined],
      "1234567 and nothing",
      "1234567 and nothing",
    ],
    ["nothing when there is none", [], `a ${KEY}`, `a ${KEY}`],
    [
      "a secret with signs of regular expressions",
      ["a.*b+c?(d)[e]$"],
      "x a.*b+c?(d)[e]$ y aXXbc",
      "x [redacted] y aXXbc",
    ],
    ["a secret with signs of replacements", ["$&$1$$secret"], "x $&$1$$secret y", "x [redacted] y"],
    [
      "a secret as JSON escapes it",
      ['pass"word\\1\n'],
      String.raw`{"a": "pass\"word\\1\n"}`,
      '{"a": "[redacted]"}',
    ],
    ["a secret in other scripts", ["пароль😀секрет"], "мой пароль😀секрет!", "мой [redacted]!"],
    ["case exactly", [KEY], KEY.toUpperCase(), KEY.toUpperCase()],
  ])("takes out %s", (_name, secrets, text, expected) => {
    expect(redactor(secrets)(text)).toBe(expected);
  });

  test("leaves nothing of a secret that stands in itself", () => {
    const secret = "abcabcabc";
    expect(redactor([secret])("abcabcabcabcabc")).not.toContain(secret);
  });
});

describe("redacted data", () => {
  const redact = redactor([KEY]);

  test("is without secrets in strings, lists, objects and keys, at any depth", () => {
    const data = {
      text: `a ${KEY}`,
      list: [1, null, KEY, [{ deep: `${KEY}!` }]],
      [KEY]: true,
      nested: { number: 7, yes: false, none: null, missing: undefined },
    };
    const before = JSON.stringify(data);
    const safe = redactAll(data, redact);
    expect(JSON.stringify(safe)).not.toContain(KEY);
    expect(safe).toEqual({
      text: "a [redacted]",
      list: [1, null, "[redacted]", [{ deep: "[redacted]!" }]],
      "[redacted]": true,
      nested: { number: 7, yes: false, none: null, missing: undefined },
    });
    expect(JSON.stringify(data)).toBe(before);
  });

  test("is the same object where it holds no secret, and shares what is shared", () => {
    const shared = { secret: KEY };
    const clean = { big: ["x", { y: 1 }] };
    const safe = redactAll({ a: shared, b: shared, clean }, redact);
    expect(safe.clean).toBe(clean);
    expect(safe.a).toBe(safe.b);
    expect(redactAll(clean, redact)).toBe(clean);
  });

  test.each([KEY, 7, true, null, undefined])("may be the plain value %p", (value) => {
    expect(redactAll(value, redact)).toBe(value === KEY ? "[redacted]" : value);
  });

  test("keeps hostile keys as keys", () => {
    const data = JSON.parse(
      `{"__proto__": {"polluted": "${KEY}"}, "constructor": "${KEY}", "toString": 1}`,
    ) as object;
    const safe = redactAll(data, redact);
    expect(JSON.stringify(safe)).toBe(
      '{"__proto__":{"polluted":"[redacted]"},"constructor":"[redacted]","toString":1}',
    );
    expect("polluted" in {}).toBe(false);
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype);
  });

  test("may be deep", () => {
    let data: unknown = KEY;
    for (let depth = 0; depth < 1_000; depth += 1) data = [data];
    expect(JSON.stringify(redactAll(data, redact))).not.toContain(KEY);
  });
});
