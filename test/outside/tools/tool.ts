// A tool that the suite of `npm run outside` runs, and the addresses and functions that the suite provides for its run.
import type { S3Credentials } from '../../support/s3-client.ts'

export interface OutsideTool {
  readonly name: string
  /** npm packages, as `name@version range`. The table shows the version of the first package. */
  readonly npm?: readonly string[]
  /** Debian packages, used for tools without npm packages. */
  readonly debian?: readonly string[]
  /** Further environment variables of the tool's programs. */
  readonly env?: Readonly<Record<string, string>>
  /** What the suite does with the tool, for the table. */
  readonly does: string
  /** The settings that the tool needs, in Markdown, or what to use instead of it. */
  readonly setting: string
  /** The text that the tool prints because the platform refuses it. For such a tool, `run` must fail with this text. */
  readonly refusal?: RegExp
  /** Runs the tool with a tenant of its own. @throws when the tool fails or has a wrong result */
  run(place: ToolPlace): Promise<void>
}

export interface ToolPlace {
  /** The tenant's Postgres address, with its password. */
  readonly url: string
  readonly schema: string
  readonly s3: S3Credentials
  /** Writes a file into the tool's folder. Returns the file's path. */
  write(name: string, text: string): string
  /** Text of a file in the tool's folder. */
  read(name: string): string
  /** Runs an installed program, named by its path below the packages, in the tool's folder. @throws with the program's output */
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
