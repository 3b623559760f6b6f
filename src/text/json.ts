/** JSON asked by its keys: what is absent, null or of another type than is asked for is undefined. */
import { type TokenUse, isCount } from "../domain/run.ts";
import { isObject, sumOf } from "./format.ts";

/** Keys, from the outside in. */
type Path = readonly string[];

/** A value of JSON. */
export class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** The type of a row or a part; empty for none. */
  get type(): string {
    return this.text("type") ?? "";
  }

  /** What stands at a path; null is nothing. */
  at(...path: Path): Json {
    return new Json(this.valueAt(path));
  }

  text(...path: Path): string | undefined {
    const value = this.valueAt(path);
    return typeof value === "string" ? value : undefined;
  }

  number(...path: Path): number | undefined {
    const value = this.valueAt(path);
    return typeof value === "number" ? value : undefined;
  }

  flag(...path: Path): boolean | undefined {
    const value = this.valueAt(path);
    return typeof value === "boolean" ? value : undefined;
  }

  /** The items of a list; none of anything else. */
  list(...path: Path): readonly unknown[] {
    const value = this.valueAt(path);
    return Array.isArray(value) ? value : [];
  }

  /** The objects of a list or of a mapping's values, one by one; none of anything else. */
  all(...path: Path): readonly Json[] {
    return Object.values(Object(this.valueAt(path)) as object)
      .filter(isObject)
      .map((one) => new Json(one));
  }

  /** The keys of a mapping. */
  keys(...path: Path): readonly string[] {
    const value = this.valueAt(path);
    return isObject(value) ? Object.keys(value) : [];
  }

  isObject(...path: Path): boolean {
    return isObject(this.valueAt(path));
  }

  isList(...path: Path): boolean {
    return Array.isArray(this.valueAt(path));
  }

  private valueAt(path: Path): unknown {
    let { value } = this;
    for (const key of path) value = isObject(value) ? value[key] : undefined;
    return value ?? undefined;
  }
}

/** The keys of each figure, which add up to it: `cache.read` is nested. */
type TokenKeys = { readonly [Figure in keyof TokenUse]: readonly string[] };

/** What all together used, 0 where none says it; undefined of none, and no number where a figure cannot be. */
export function tokensOf(all: readonly Json[], keys: TokenKeys): TokenUse | undefined {
  const sum = (names: readonly string[]) => {
    const figures = all.flatMap((one) => names.map((name) => one.number(...name.split(".")) ?? 0));
    return sumOf(figures.map((figure) => (isCount(figure) ? figure : NaN)));
  };
  const { input, output, cached, written } = keys;
  return all.length === 0
    ? undefined
    : { input: sum(input), output: sum(output), cached: sum(cached), written: written && sum(written) };
}
