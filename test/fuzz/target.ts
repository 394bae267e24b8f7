// The interface of fuzz targets. Cases are plain data, so that a failing case can be printed, reduced and stored. A session tries
// the cases.
import type fc from 'fast-check'
import type { FuzzWorld } from './fuzz-world.ts'

export interface FuzzTarget<Case> {
  readonly name: string
  readonly cases: fc.Arbitrary<Case>
  /** Cases that once failed, by a description of the fault. Every run tries them first. */
  readonly examples: Readonly<Record<string, Case>>
  /** Number of cases relative to other targets in a run without `--runs`; 1 if absent. Slow targets have fractions. */
  readonly casesPerRun?: number | undefined
  /** Milliseconds that one case may take; the default of patience.ts if absent. */
  readonly boundMillis?: number
  open(world: FuzzWorld): Promise<FuzzSession<Case>>
}

export interface FuzzSession<Case> {
  /**
   * Tries one case and names its outcome, e.g. the status.
   * @throws {Error} when the answer breaks a property that holds for every request
   */
  attempt(one: Case): Promise<string>
  /** Removes the data that cases have created. Called between batches. */
  tidy?(): Promise<void>
  close?(): void
}

/** Text of a stack trace, or of a JavaScript exception, that must not reach a client. */
const TRACE =
  /node_modules|\.(ts|mjs|js):\d+|\bat async\b|RangeError|TypeError|ReferenceError|SqliteError/

/** @throws {Error} when the text shows a stack trace or an exception's name that the case itself does not contain */
export function requireNoTrace(text: string, sent = ''): void {
  const found = TRACE.exec(text)?.[0]
  if (found !== undefined && !sent.includes(found))
    throw new Error(`the answer shows a trace (${found}): ${text.slice(0, 500)}`)
}

export function requireThat(holds: boolean, reason: string): void {
  if (!holds) throw new Error(reason)
}
