// A tool that the suite of `npm run outside` runs, and what the tool gets to work with.
import type { S3Credentials } from '../../support/s3-client.ts'

export interface OutsideTool {
  readonly name: string
  /** npm packages, as `name@version range`. The table states the version of the first one. */
  readonly npm?: readonly string[]
  /** Debian packages, used where there are no npm packages. */
  readonly debian?: readonly string[]
  /** Further variables of its programs. */
  readonly env?: Readonly<Record<string, string>>
  /** What the suite does with the tool, for the table. */
  readonly does: string
  /** The settings that the tool needs, in Markdown, or what to use instead of it. */
  readonly setting: string
  /** What the tool prints when the platform refuses it. Then `run` must fail with these words. */
  readonly refusal?: RegExp
  /** Uses a tenant of its own. @throws when the tool fails or did something else than it should */
  run(place: ToolPlace): Promise<void>
}

export interface ToolPlace {
  /** The tenant's Postgres address, with its password. */
  readonly url: string
  readonly schema: string
  readonly s3: S3Credentials
  /** Writes a file into the tool's folder. Gives its path. */
  write(name: string, text: string): string
  /** Text of a file in the tool's folder. */
  read(name: string): string
  /** Runs an installed program, named by its path below the packages, in the tool's folder. @throws with all it printed */
  program(file: string, ...args: readonly string[]): Promise<string>
  /** Runs the text of an ES module with Node in the tool's folder, with the address in `DATABASE_URL`. */
  script(text: string): Promise<string>
  /** Runs a Python script with the installed Debian packages. */
  python(text: string): Promise<string>
  /** Rows of a query as the tenant's owner. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>
}

/** @throws unless both have the same JSON */
export function expectSame(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found !== wanted) throw new Error(`expected ${wanted}, got ${found}`)
}
