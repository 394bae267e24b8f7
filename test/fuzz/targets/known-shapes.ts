// Sends the same requests to two emulators, of which one loses its plans and prepared statements before each request. The answers
// must be equal to the byte, also after changes of the schema, its policies and its grants.
import fc from 'fast-check'
import type { RequestLine } from '../../support/request-lines.ts'
import { type FuzzWorld, openFuzzWorld } from '../fuzz-world.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace, requireThat } from '../target.ts'
import { KNOWN_CHANGES, type SchemaChange } from './known-shapes/known-changes.ts'
import { KNOWN_LINES } from './known-shapes/known-lines.ts'
import {
  type ChangeRoute,
  isOfCustomPlan,
  type KnownIdentity,
  type KnownSide,
  openSide,
  requireSame,
} from './known-shapes/known-side.ts'
import { KNOWN_HEADERS, KNOWN_VALUES, withValues } from './known-shapes/known-values.ts'

interface KnownRequest {
  /** Chooses one of the case's lines. */
  readonly line: number
  /** Chooses one of the case's callers. */
  readonly caller: number
  readonly isHead: boolean
  readonly values: readonly string[]
  /** Whether operands that are a part of the shape change, too. */
  readonly isWide: boolean
  readonly headers: RequestLine['headers']
}

interface ChangeStep extends SchemaChange {
  readonly by: ChangeRoute
}

export interface KnownShapesCase {
  readonly lines: readonly RequestLine[]
  readonly callers: readonly KnownIdentity[]
  /** A change that has been applied before is undone. */
  readonly steps: readonly (KnownRequest | ChangeStep)[]
}

// Few lines and callers, so that a case sends the same shape as the same caller again. Postgres can use a generic plan from the
// sixth execution of a prepared statement on.
const MOST_LINES = 2
const MOST_CALLERS = 2
const request = fc.record({
  line: fc.nat(MOST_LINES - 1),
  caller: fc.nat(MOST_CALLERS - 1),
  isHead: fc.nat(11).map((choice) => choice === 11),
  values: fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('1', '2', '3', 'one') },
      fc.constantFrom(...KNOWN_VALUES),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  isWide: fc.nat(5).map((choice) => choice === 5),
  headers: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, fc.constantFrom(...KNOWN_HEADERS)),
})
const change = fc
  .tuple(
    fc.constantFrom(...KNOWN_CHANGES),
    fc.constantFrom<ChangeRoute>('exec', 'port', 'call', 'rolledBack'),
  )
  .map(([pair, by]) => ({ ...pair, by }))

const cases: fc.Arbitrary<KnownShapesCase> = fc.record({
  lines: fc.array(fc.constantFrom(...KNOWN_LINES), { minLength: 1, maxLength: MOST_LINES }),
  callers: fc.array(fc.constantFrom('server', 'user', 'anon'), {
    minLength: 1,
    maxLength: MOST_CALLERS,
  }),
  steps: fc.array(fc.oneof({ weight: 12, arbitrary: request }, { weight: 1, arbitrary: change }), {
    minLength: 4,
    maxLength: 12,
    size: 'max',
  }),
})

export const knownShapes: FuzzTarget<KnownShapesCase> = {
  name: 'known-shapes',
  cases,
  examples: {},
  casesPerRun: 1 / 50,
  // A case sends up to ten requests to each emulator, and the cold one reads its schema before each.
  boundMillis: 20_000,
  open: openTwins,
}

let opened = 0

async function openTwins(world: FuzzWorld): Promise<FuzzSession<KnownShapesCase>> {
  const slug = `known${++opened}`
  const coldWorld = await openFuzzWorld()
  const twins = { warm: await openSide(world, slug), cold: await openSide(coldWorld, slug) }
  const both = [twins.warm, twins.cold]
  const rebuild = () => Promise.all(both.map((side) => side.rebuild()))
  return {
    attempt: async (one) => {
      try {
        return await attempt(twins, one, rebuild)
      } catch (error) {
        // The rows may differ now. The next case must not fail because of that.
        await rebuild()
        throw error
      }
    },
    tidy: async () => {
      await rebuild()
    },
    close: () => {
      for (const side of both) side.close()
      coldWorld.at.emulator.close().catch(() => undefined)
    },
  }
}

interface Twins {
  readonly warm: KnownSide
  readonly cold: KnownSide
}

async function attempt(
  twins: Twins,
  one: KnownShapesCase,
  rebuild: () => Promise<unknown>,
): Promise<string> {
  const applied: SchemaChange[] = []
  let outcome = 'no request'
  for (const step of one.steps) {
    if ('line' in step) outcome = await ask(twins, one, step)
    else await changeBoth(twins, step, applied)
    twins.cold.world.requireNoFailure()
  }
  for (const { undo } of applied.toReversed()) {
    const error = await sameChange(twins, undo, 'exec')
    if (error !== undefined) await rebuild()
  }
  return outcome
}

async function ask(
  { warm, cold }: Twins,
  { lines, callers }: KnownShapesCase,
  { line, caller, isHead, values, isWide, headers }: KnownRequest,
): Promise<string> {
  const chosen = lines[line % lines.length]
  const as = callers[caller % callers.length]
  if (chosen === undefined || as === undefined) return 'nothing to send'
  const method = isHead && chosen.method === 'GET' ? 'HEAD' : chosen.method
  const sent = {
    ...withValues(chosen, values, isWide),
    method,
    headers: { ...chosen.headers, ...headers },
  }
  const [told, afresh] = await Promise.all([
    warm.send(sent, as),
    cold.forget(as).then(() => cold.send(sent, as)),
  ])
  requireThat(!afresh.isKnown, 'the cold emulator knew the shape of the request')
  requireNoTrace(told.text, JSON.stringify(sent))
  if (isOfCustomPlan(told, afresh)) return 'a pattern that only a custom plan refuses'
  requireSame(told, afresh)
  const code = /"code":"(\w+)"/.exec(told.text)?.[1] ?? ''
  return `${told.isKnown ? 'known' : 'new'} ${told.status} ${code}`
}

async function changeBoth(
  twins: Twins,
  { apply, undo, by }: ChangeStep,
  applied: SchemaChange[],
): Promise<void> {
  const at = applied.findIndex((done) => done.apply === apply)
  const error = await sameChange(twins, at < 0 ? apply : undo, by)
  if (error !== undefined || by === 'rolledBack') return
  if (at < 0) applied.push({ apply, undo })
  else applied.splice(at, 1)
}

/** Returns the error that both got. @throws {Error} when only one got an error, or the errors differ */
async function sameChange(
  { warm, cold }: Twins,
  sql: string,
  by: ChangeRoute,
): Promise<string | undefined> {
  const [one, other] = await Promise.all([warm.change(sql, by), cold.change(sql, by)])
  requireThat(one === other, `"${sql}" by ${by} gave ${one}, and without memories ${other}`)
  return one
}
