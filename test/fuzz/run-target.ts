// Runs a target in batches: its stored examples first, then cases of a seed. Reduces a failing case as far as possible. Checks
// after each batch that another tenant gets the same answers as before.
import fc from 'fast-check'
import { type FuzzWorld, openFuzzWorld } from './fuzz-world.ts'
import { HangError, withinBound } from './patience.ts'
import type { FuzzSession, FuzzTarget } from './target.ts'

/** Cases between two checks of the other tenant. */
const BATCH = 100
/** A case counts as a hang after this number of attempts in a row that exceeded the time. */
const HANG_TRIES = 3

export interface FuzzOrder {
  readonly runs: number
  readonly seed: number
  /** Called after each batch. */
  readonly onBatch?: (done: number, outcomes: ReadonlyMap<string, number>) => void
}

export interface FuzzOutcome {
  readonly runs: number
  /** How often each outcome occurred. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Describes the failing case; `undefined` when no case failed. */
  readonly failure: string | undefined
}

/** Tries the target's examples and `runs` cases. */
export async function runTarget<Case>(
  target: FuzzTarget<Case>,
  world: FuzzWorld,
  { runs, seed, onBatch }: FuzzOrder,
): Promise<FuzzOutcome> {
  const session = await target.open(world)
  const outcomes = new Map<string, number>()
  const attempt = async (one: Case): Promise<void> => {
    const outcome = await patiently(session, one, target.boundMillis)
    world.requireNoFailure()
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  try {
    const kept = await keptFailure(target, world, attempt)
    if (kept !== undefined) return { runs: 0, outcomes, failure: kept }
    for (let done = 0; done < runs; done += BATCH) {
      const batch = { numRuns: Math.min(BATCH, runs - done), seed: seed + done }
      const checked = await fc.check(fc.asyncProperty(target.cases, attempt), batch)
      const failure = checked.failed
        ? described(target, checked)
        : await canaryFailure(target, world, batch)
      if (failure !== undefined) return { runs: done, outcomes, failure }
      await session.tidy?.()
      onBatch?.(done + batch.numRuns, outcomes)
    }
    return { runs, outcomes, failure: undefined }
  } finally {
    session.close?.()
  }
}

async function patiently<Case>(
  session: FuzzSession<Case>,
  one: Case,
  boundMillis: number | undefined,
): Promise<string> {
  for (let tries = 1; ; tries += 1)
    try {
      const outcome = await withinBound(() => session.attempt(one), boundMillis)
      return tries === 1 ? outcome : `${outcome} (at try ${tries})`
    } catch (error) {
      if (!(error instanceof HangError) || tries >= HANG_TRIES) throw error
    }
}

async function keptFailure<Case>(
  { name, examples }: FuzzTarget<Case>,
  world: FuzzWorld,
  attempt: (one: Case) => Promise<void>,
): Promise<string | undefined> {
  for (const [title, one] of Object.entries(examples))
    try {
      await attempt(one)
      await world.requireCanary()
    } catch (error) {
      return `${name}: the kept case "${title}" fails again: ${messageOf(error)}\n${JSON.stringify(one)}`
    }
  return undefined
}

function described<Case>({ name }: FuzzTarget<Case>, checked: fc.RunDetails<[Case]>): string {
  const { counterexample, errorInstance, seed, numShrinks } = checked
  return [
    `${name}: ${messageOf(errorInstance)}`,
    `case (${numShrinks} times smaller): ${JSON.stringify(counterexample?.[0])}`,
    `again: npm run fuzz -- --target ${name} --runs ${BATCH} --seed ${seed}`,
  ].join('\n')
}

// Checks the other tenant after a batch. When the check fails, repeats the cases one at a time in a new emulator, to find the
// harmful case.
async function canaryFailure<Case>(
  target: FuzzTarget<Case>,
  world: FuzzWorld,
  batch: { readonly numRuns: number; readonly seed: number },
): Promise<string | undefined> {
  try {
    await withinBound(() => world.requireCanary())
    return undefined
  } catch (error) {
    const where = `seed ${batch.seed}, ${batch.numRuns} cases`
    const culprit = await harmfulCase(target, fc.sample(target.cases, batch))
    return `${target.name}: after a batch (${where}): ${messageOf(error)}\ncase: ${culprit}`
  }
}

async function harmfulCase<Case>(
  target: FuzzTarget<Case>,
  cases: readonly Case[],
): Promise<string> {
  await using world = await openFuzzWorld()
  const session = await target.open(world)
  for (const one of cases)
    try {
      await withinBound(() => session.attempt(one))
      await withinBound(() => world.requireCanary())
    } catch (error) {
      return `${JSON.stringify(one)}\n${messageOf(error)}`
    }
  return 'no single case does this; the whole batch is needed'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
