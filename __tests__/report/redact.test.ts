import { describe, expect, test } from "@jest/globals";
import { PREFIXED, redactAll, redactor } from "../../src/safety/secrets.ts";

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
      "the longer one in any order",
      ["sk-0123456789", "sk-01234567"],
      "sk-0123456789 sk-01234567",
      "[redacted] [redacted]",
    ],
    ["a secret of exactly eight characters", ["12345678"], "12345678", "[redacted]"],
    [
      "a secret beside a letter that is longer in small, and one that has such a letter",
      [KEY.toUpperCase(), "İstanbul-1453"],
      `İ ${KEY} ${KEY.toUpperCase()} İSTANBUL-1453`,
      "İ [redacted] [redacted] [redacted]",
    ],
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
    ["a secret in another case", [KEY], `x ${KEY.toUpperCase()} y`, "x [redacted] y"],
  ])("takes out %s", (_name, secrets, text, expected) => {
    expect(redactor(secrets)(text)).toBe(expected);
  });

  const ODD = 'k+y/"w\\th&signs=é';
  const small = (text: string) => text.replace(/%../g, (code) => code.toLowerCase());
  test.each<[string, string]>([
    ["as it is", ODD],
    ["in JSON", JSON.stringify(ODD)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ key: ODD }))],
    ["in JSON that escapes `/`", JSON.stringify(ODD).replaceAll("/", "\\/")],
    ["in JSON of ASCII alone", JSON.stringify(ODD).replace("é", "\\u00e9")],
    [
      "in such JSON within such JSON",
      JSON.stringify(JSON.stringify(ODD).replaceAll("/", "\\/")).replaceAll("/", "\\/"),
    ],
    ["in a URL", `https://example.com/?key=${encodeURIComponent(ODD)}&x=1`],
    ["in a URL, in small letters", small(encodeURIComponent(ODD))],
    ["in the path of a URL", encodeURIComponent(ODD).replaceAll("%2F", "/")],
    ["in a form", new URLSearchParams({ key: ODD }).toString()],
    ["in hexadecimal", Buffer.from(`x${ODD}`).toString("hex")],
    ["in hexadecimal of capitals", Buffer.from(ODD).toString("hex").toUpperCase()],
    ["apart by NULs", Buffer.from(ODD, "utf16le").toString("latin1")],
    ["apart by NULs in JSON", JSON.stringify(Array.from(ODD).join("\0"))],
    ["apart by NULs in JSON within JSON", JSON.stringify(JSON.stringify(Array.from(ODD).join("\0")))],
    ["apart by other control characters", Array.from(ODD).join("\u0001")],
    ["in base64", Buffer.from(ODD).toString("base64")],
    ["in base64 for URLs", Buffer.from(ODD).toString("base64url")],
    ["in a header of git", Buffer.from(`x-access-token:${ODD}`).toString("base64")],
    ["in basic authentication, as a password", Buffer.from(`mona:${ODD}`).toString("base64")],
    ["in basic authentication, as a user", Buffer.from(`${ODD}:`).toString("base64")],
    ["in base64, with text around it", Buffer.from(`{"a":"${ODD}","b":1}`).toString("base64")],
    ["apart by invisible spaces", Array.from(ODD).join("\u200B")],
    ["apart by terminal codes", Array.from(ODD).join("\u001B[0m")],
  ])("takes a secret out %s", (_name, text) => {
    const safe = redactor([ODD])(text);
    expect(safe).toContain("[redacted]");
    const decoded = [...safe.matchAll(/[\w+/-]{8,}/g)].flatMap(([part]) => [
      Buffer.from(part, "base64").toString(),
      Buffer.from(part, "hex").toString(),
    ]);
    const visible = safe.replaceAll(/\0|\\+u0000/g, "");
    for (const reading of [safe, visible, decodeURIComponent(safe), ...decoded])
      expect(reading).not.toContain("signs");
  });

  const each = (encode: (code: number) => string) =>
    Array.from(KEY, (character) => encode(character.charCodeAt(0))).join("");
  const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, "0");
  test.each<[string, string]>([
    ["of a URL", each((code) => `%${hex(code)}`)],
    ["of a URL, twice over, in JSON", each((code) => `%${hex(code).toUpperCase()}`)],
    ["of programs", each((code) => `\\x${hex(code)}`)],
    ["of JSON", each((code) => `\\u${hex(code, 4)}`)],
    ["of JSON in JSON", each((code) => `\\\\u${hex(code, 4)}`)],
    ["of HTML", each((code) => `&#${String(code)};`)],
    ["of HTML in hexadecimal", each((code) => `&#x${hex(code)};`)],
    ["of several, and some as they are", `s%6b-${KEY.slice(3, 8)}&#x35;\\x36${KEY.slice(10)}`],
  ])("takes a secret out in the codes %s, and nothing beside it", (_name, coded) => {
    const around = ["a%20b é&#38; ", " c\\x21 %2"];
    expect(redactor([KEY])(around.join(coded))).toBe(around.join("[redacted]"));
  });

  test.each([
    ["with names", "it&apos;s &lt;a&gt; &quot;b&quot; &amp; c"],
    ["with names and a code", "it&#39;s &lt;a&gt; &quot;b&quot; &amp; c"],
    ["with names, in JSON", JSON.stringify("it's &lt;a&gt; &quot;b&quot; &amp; c\n").slice(1, -3)],
  ])("takes a secret out that is escaped as in HTML, %s", (_name, escaped) => {
    expect(redactor([`it's <a> "b" & c`])(`x ${escaped} y`)).toBe("x [redacted] y");
  });

  test("reads codes in parts, lets others in between, and finds a secret that two parts share", async () => {
    const coded = each((code) => `%${hex(code)}`);
    const before = "%41".repeat(99_995);
    const after = "%41".repeat(250_000);
    let turns = 0;
    const waiting = setInterval(() => (turns += 1), 0);
    const safe = await redactor([KEY]).inParts(`${before}${coded}${after}`);
    clearInterval(waiting);
    expect(safe === `${before}[redacted]${after}`).toBe(true);
    expect(turns).toBeGreaterThan(1);
  });

  test("makes no error of a secret with half a character", () => {
    expect(redactor(["secret-\uD83D-half"])("x secret-\uD83D-half y")).toBe("x [redacted] y");
  });

  test("counts the different texts that held a secret", () => {
    const redact = redactor([KEY], { shapes: true });
    expect(redact.count()).toBe(0);
    redactAll([`a ${KEY}`, `a ${KEY}`, `b ${KEY} ${KEY}`, "nothing", { [`c ${KEY}`]: "[redacted]" }], redact);
    expect(redact.count()).toBe(3);
    redact(`a ${KEY}`);
    redact("a [redacted]");
    expect(redact.count()).toBe(3);
  });

  test("leaves nothing of a secret that contains itself", () => {
    const secret = "abcabcabc";
    expect(redactor([secret])("abcabcabcabcabc")).not.toContain(secret);
  });

  test("hides a secret that it learns later in a text that it read before", () => {
    const redact = redactor([KEY]);
    expect(redact(`a ${TOKEN} b`)).toBe(`a ${TOKEN} b`);
    redact.add(TOKEN);
    expect(redact(`a ${TOKEN} b`)).toBe("a [redacted] b");
    expect(redact.count()).toBe(1);
  });
});

/** So many characters as tokens have, made here so that no scanner takes this file for a leak. */
const letters = (length: number) => "aB3dE6gH9jK2mN5pQ8sT1vW4xY7z".repeat(200).slice(0, length);
const capitals = (length: number) => "Q7X2M9K4".repeat(10).slice(0, length);
const pem = (what: string, { end = true, line = "\n" } = {}) =>
  [
    `-----BEGIN ${what}-----`,
    ...Array.from({ length: 20 }, () => letters(64)),
    `${letters(20)}==`,
    ...(end ? [`-----END ${what}-----`] : []),
  ].join(line);

const TOKENS: [string, string][] = [
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((start): [string, string] => [
    `GitHub's ${start}`,
    `${start}${letters(36)}`,
  ]),
  ["GitHub's fine-grained", `github_pat_${letters(22)}_${letters(59)}`],
  ["GitHub's app token in the form of a JWT", `ghs_${letters(40)}.${letters(200)}.${letters(86)}`],
  ["OpenAI's old", `sk-${letters(48)}`],
  ["OpenAI's of a project", `sk-proj-${letters(74)}_${letters(20)}-${letters(60)}`],
  ["OpenAI's of a service account", `sk-svcacct-${letters(120)}`],
  ["Anthropic's", `sk-ant-api03-${letters(86)}-${letters(6)}AA`],
  ["OpenRouter's", `sk-or-v1-${"0a1b2c3d".repeat(8)}`],
  ["DeepSeek's", `sk-${"0a1b2c3d".repeat(4)}`],
  ["AWS' key id", `AKIA${capitals(16)}`],
  ["AWS' temporary key id", `ASIA${capitals(16)}`],
  ["Slack's bot", `xoxb-${"1".repeat(12)}-${"2".repeat(12)}-${letters(24)}`],
  ["Slack's user", `xoxp-${"1".repeat(12)}-${"2".repeat(12)}-${letters(24)}`],
  ["Slack's app", `xapp-1-A${capitals(10)}-${"3".repeat(13)}-${letters(64)}`],
  ["Slack's webhook", `hooks.slack.com/services/T${capitals(8)}/B${capitals(8)}/${letters(24)}`],
  ["Slack's workflow", `hooks.slack.com/triggers/T${capitals(8)}/123456/${letters(24)}`],
  ["Google's", `AIza${letters(35)}`],
  ["a JWT", `eyJ${letters(30)}.eyJ${letters(90)}.${letters(43)}`],
  ["a header", `Authorization: Bearer ${letters(40)}`],
  ...PREFIXED.map(([service, start, rest, least]): [string, string] => [
    service,
    `${start}${rest === "[0-9a-f]" ? "0a1b2c3d".repeat(8).slice(0, least) : letters(least)}`,
  ]),
  ...["RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", ""].map((kind): [string, string] => [
    `a private key, ${kind || "plain"}`,
    pem(`${kind}PRIVATE KEY`),
  ]),
  ["a private key of PGP", pem("PGP PRIVATE KEY BLOCK")],
  ["a private key with line ends of JSON", pem("RSA PRIVATE KEY", { line: "\\n" })],
  ["a private key with line ends of JSON within JSON", pem("RSA PRIVATE KEY", { line: "\\\\n" })],
  ["a private key with line ends of Windows", pem("RSA PRIVATE KEY", { line: "\r\n" })],
  ["a private key in a diff", pem("RSA PRIVATE KEY", { line: "\n+" })],
  ["a private key in a list of texts", pem("RSA PRIVATE KEY", { line: '",\n    "' })],
];

describe("the shapes of tokens", () => {
  const redact = redactor([], { shapes: true });

  test.each(TOKENS)("take out %s", (_name, token) => {
    expect(redact(token)).toBe("[redacted]");
    for (const around of [
      ...["the key is TOKEN it said", "'TOKEN'", "`TOKEN`", "KEY=TOKEN\n", "https://mona:TOKEN@example.com"],
      ...[
        '{"key":"TOKEN"}',
        '{\\"key\\":\\"TOKEN\\"}',
        "a\\nTOKEN\\nb",
        "a\\u000aTOKEN\\u000ab",
        "?key%3DTOKEN&b=1",
      ],
      ...["\u001B[31mTOKEN\u001B[0m", "\\u001b[31mTOKEN\\u001b[0m", "漢TOKEN漢"],
    ]) {
      const safe = redact(around.replace("TOKEN", () => token));
      expect({ around, safe }).toEqual({ around, safe: expect.stringContaining("[redacted]") });
      expect(safe).not.toMatch(/aB3dE6|Q7X2M9|0a1b2c/);
    }
  });

  test.each(TOKENS.filter(([, token]) => !token.includes("\n") && !token.includes("\\")))(
    "take out %s that invisible characters hide",
    (_name, token) => {
      expect(redact(Array.from(token).join("\u200B"))).toBe("[redacted]");
      expect(redact(`${token.slice(0, 9)}\u001B[1m${token.slice(9)}`)).toBe("[redacted]");
    },
  );

  const SECRET = letters(20) + "/" + letters(10) + "+" + letters(8);
  test.each([
    `aws_secret_access_key = ${SECRET}`,
    `AWS_SECRET_ACCESS_KEY=${SECRET}`,
    `export AWS_SECRET_ACCESS_KEY="${SECRET}"`,
    `AWS_SECRET_ACCESS_KEY: ${SECRET}`,
    `"SecretAccessKey": "${SECRET}"`,
    `{\\"SecretAccessKey\\":\\"${SECRET}\\"}`,
    `secretAccessKey: '${SECRET}'`,
    `aws configure set aws_secret_access_key ${SECRET}`,
    `"SessionToken": "${letters(300)}=="`,
    `AWS_SESSION_TOKEN=${letters(300)}`,
    `:secret_access_key => "${SECRET}"`,
  ])("take out a secret beside its name: %s", (text) => {
    expect(redact(text)).toContain("[redacted]");
    expect(redact(text)).not.toMatch(/aB3dE6/);
  });

  test("take the user and the password out of an address", () => {
    expect(redact(`at postgres://app:${letters(20)}@db:5432/x and http://localhost:8080/a@b`)).toBe(
      "at postgres[redacted]@db:5432/x and http://localhost:8080/a@b",
    );
  });

  test.each([
    ["with a line begun", pem("RSA PRIVATE KEY", { end: false }).replace(/==$/, "")],
    ["within a line", pem("EC PRIVATE KEY", { end: false }).slice(0, 500)],
    ["and shortened", `${pem("PRIVATE KEY", { end: false }).slice(0, 500)}…`],
    ["in JSON", `{"key": "${pem("PRIVATE KEY", { end: false, line: "\\n" }).slice(0, 500)}`],
    [
      "after its headers",
      pem("RSA PRIVATE KEY", { end: false }).replace(
        "\n",
        `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${capitals(32)}\n\n`,
      ),
    ],
    ["before another key", `${pem("PRIVATE KEY", { end: false })}\n${pem("PRIVATE KEY")}`],
  ])("take out a private key cut off %s", (_name, text) => {
    const safe = redact(text);
    expect(safe).toContain("[redacted]");
    expect(safe).not.toMatch(/aB3|Q7X|PRIVATE/);
  });

  test("leave the text after a private key that is cut off, and around one that is only named", () => {
    const cut = `${pem("PRIVATE KEY", { end: false })}\n\nThat was the key, it is bad.`;
    expect(redact(cut)).toMatch(/^\[redacted\]\s+That was the key, it is bad\.$/);
    expect(redact("It has -----BEGIN PRIVATE KEY----- in it: bad. Also, tests are missing.")).toBe(
      "It has [redacted] in it: bad. Also, tests are missing.",
    );
  });

  test.each([
    "import sk-learn and scikit-learn",
    "sk-learn-pipeline-with-column-transformer",
    "sk-SK, sk-1234, sk-test, sk-...",
    "task-1234567890abcdef1234567890abcdef",
    "disk-0123456789ABCDEF0123456789ABCDEF and risk-A1B2C3D4E5F6A1B2C3D4E5F6",
    "ask-something-very-long-indeed-or-so",
    "flask-sqlalchemy-2.5.1-py3-none-any-whl",
    "C:\\desk-A1B2C3D4E5F6A1B2C3D4E5F6",
    "ghp_short, ghs_ and github_pat_ begin tokens",
    "neighp_something",
    "0123456789abcdef0123456789abcdef01234567",
    `sha256:${"0a1b2c3d".repeat(8)}`,
    "4f9c2b1e-8d3a-4c7b-9e6f-1a2b3c4d5e6f",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBF\n-----END PGP PUBLIC KEY BLOCK-----",
    `data:image/png;base64,${Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 167) % 251)).toString("base64")}`,
    "AKIA and AKIAI44QH8 and MAKIAVELLIAN_PRINCIPLES1",
    "aws_secret_access_key=${{ secrets.AWS_SECRET_ACCESS_KEY }}",
    "AWS_SECRET_ACCESS_KEY: ask your administrator for it",
    "xoxo-hugs-and-kisses, xoxb- is a prefix",
    "https://hooks.slack.com/services is where it posts",
    "AIzawa is a name; AIza begins keys",
    "[redacted]",
  ])("leave %j", (text) => {
    expect(redact(text)).toBe(text);
  });

  const MEGABYTE = 1_000_000;
  const full = (text: string) => text.repeat(Math.ceil(MEGABYTE / text.length));
  test.each<[string, string, string]>([
    [
      "beginnings of private keys",
      full("-----BEGIN PRIVATE KEY-----"),
      full("-----BEGIN PRIVATE KEY-----").replaceAll(/-+BEGIN PRIVATE KEY-+?(?:-{4})/g, "[redacted]"),
    ],
    ["sk-", full("sk-"), full("sk-")],
    ["names of secrets", full("aws_secret_access_key="), full("aws_secret_access_key=")],
    ["a private key of dashes", `-----BEGIN PRIVATE KEY-----${full("- ")}`, `[redacted]${full("- ")}`],
    ["prefixes after line ends", full("\\nsk-"), full("\\nsk-")],
    ["colours", full("[0;"), full("[0;")],
    ["AKIA", full("AKIA"), full("AKIA")],
    ["webhooks", full("hooks.slack.com/services/"), full("hooks.slack.com/services/")],
  ])("are found in time in a megabyte of %s", (_name, text, expected) => {
    expect(redact(text) === expected).toBe(true);
  });

  test.each([
    ["a private key", "-----BEGIN PRIVATE KEY-----"],
    ["a key", "sk-"],
    ["a secret beside its name", "AWS_SECRET_ACCESS_KEY="],
  ])("are found in a text that is %s of 50 megabytes", (_name, start) => {
    expect(redact(`${start}${"A1".repeat(25 * MEGABYTE)}`).slice(0, 20)).toMatch(/^\[redacted\]/);
  });
});

describe("redacted data", () => {
  const redact = redactor([KEY]);

  test("is without secrets in strings, lists, objects and keys, at any depth", () => {
    const dataWith = (secret: string) => ({
      text: `a ${secret}`,
      list: [1, null, secret, [{ deep: `${secret}!` }]],
      [secret]: true,
      nested: { number: 7, yes: false, none: null, missing: undefined },
    });
    const data = dataWith(KEY);
    expect(redactAll(data, redact)).toEqual(dataWith("[redacted]"));
    expect(data).toEqual(dataWith(KEY));
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
    const text = `{"__proto__":{"polluted":"${KEY}"},"constructor":"${KEY}","toString":1}`;
    const safe = redactAll(JSON.parse(text) as object, redact);
    expect(JSON.stringify(safe)).toBe(text.replaceAll(KEY, "[redacted]"));
    expect("polluted" in {}).toBe(false);
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype);
  });

  test("may be deep", () => {
    let data: unknown = KEY;
    for (let depth = 0; depth < 1_000; depth += 1) data = [data];
    expect(JSON.stringify(redactAll(data, redact))).not.toContain(KEY);
  });
});
