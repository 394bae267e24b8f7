// Runs each test of a file once with emulators, and then once for each change of the recorded answers. Writes which changes fail
// the test.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest'
import type { SeenAnswer } from '../../support/test-boundary.ts'
import { setTestBoundary, testBoundary } from '../../support/test-boundary.ts'
import { inputOf, situationOf } from './answers.ts'
import { createBoundary, type RecordingBoundary } from './boundary.ts'
import { partsOf, wholeChanges } from './changes.ts'
import type { Plant, Tape } from './tape.ts'

export interface TestOutcome {
  readonly name: string
  readonly line: number | undefined
  /** `unsteady` tests fail with their own recording, because they have effects that the tape does not record. */
  readonly state: 'analysed' | 'failed' | 'no answers' | 'too slow' | 'unsteady'
  readonly planted: number
  /** Plants that fail the test. */
  readonly killed: readonly Plant[]
  /** Situation and request of each answer. */
  readonly seen: readonly (readonly [string, string])[]
}

export interface FileOutcome {
  readonly file: string
  readonly tests: readonly TestOutcome[]
}

/** Milliseconds for one repetition. A test that waits longer for an answer would fail. */
const LONGEST_REPETITION = 3_000
/** Milliseconds for all repetitions of one test. */
const LONGEST_TEST = 15_000
const OUT = process.env['MATRIX_OUT'] ?? '.cache/conformance-matrix'

class MatrixRunner extends TestRunner {
  readonly #boundary: RecordingBoundary = ownBoundary()
  #outcomes: TestOutcome[] = []

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = async (): Promise<void> => {
      await TestRunner.getTestFn(test)()
    }
    const name = fullName(test)
    const line = test.location?.line
    const none = { name, line, planted: 0, killed: [], seen: [] }
    let tape: Tape
    try {
      tape = await this.#boundary.record(run)
    } catch (error) {
      this.#outcomes.push({ ...none, state: 'failed' })
      throw error
    }
    const seen = seenOn(tape)
    if (seen.length === 0) this.#outcomes.push({ ...none, state: 'no answers' })
    else if (await this.#fails(tape, undefined, run))
      this.#outcomes.push({ ...none, seen, state: 'unsteady' })
    else this.#outcomes.push({ ...none, seen, ...(await this.#plant(tape, run)) })
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite)
    if (!('filepath' in suite)) return
    const result: FileOutcome = { file: suite.name, tests: this.#outcomes }
    this.#outcomes = []
    mkdirSync(OUT, { recursive: true })
    writeFileSync(join(OUT, `${suite.name.replaceAll('/', '+')}.json`), JSON.stringify(result))
  }

  async #plant(tape: Tape, run: () => Promise<void>) {
    const until = performance.now() + LONGEST_TEST
    const killed: Plant[] = []
    let planted = 0
    const kills = async (plant: Plant): Promise<boolean> => {
      planted += 1
      const isKilled = await this.#fails(tape, plant, run)
      if (isKilled) killed.push(plant)
      return isKilled
    }
    for (const [situation, answers] of situationsOn(tape)) {
      for (const whole of wholeChanges()) {
        if (!(await kills({ situation, change: whole }))) continue
        for (const change of partsOf(whole, answers)) {
          if (performance.now() > until) return { planted, killed, state: 'too slow' as const }
          await kills({ situation, change })
        }
      }
    }
    return { planted, killed, state: 'analysed' as const }
  }

  async #fails(tape: Tape, plant: Plant | undefined, run: () => Promise<void>): Promise<boolean> {
    const late = new AbortController()
    const repeated = this.#boundary.repeat(tape, plant, run).then(
      () => false,
      () => true,
    )
    const waited = setTimeout(LONGEST_REPETITION, true, { signal: late.signal, ref: false })
    const fails = await Promise.race([repeated, waited.catch(() => true)])
    late.abort()
    // Lets other pending work of the failed test end before the next repetition.
    await setImmediate()
    return fails
  }
}

// Reuses the boundary of the worker, because vitest creates a runner for each file but keeps the worker's modules.
function ownBoundary(): RecordingBoundary {
  const existing = testBoundary()
  if (existing !== undefined) return existing as RecordingBoundary
  const boundary = createBoundary()
  setTestBoundary(boundary)
  return boundary
}

function seenOn({ exchanges }: Tape): TestOutcome['seen'] {
  const all = exchanges.map(
    ({ answer, request }) => [situationOf(request, answer), inputOf(request)] as const,
  )
  return [...new Map(all.map((pair) => [pair.join('\n'), pair])).values()]
}

function situationsOn({ exchanges }: Tape): ReadonlyMap<string, readonly SeenAnswer[]> {
  const groups = Map.groupBy(exchanges, ({ answer, request }) => situationOf(request, answer))
  return new Map([...groups].map(([name, own]) => [name, own.map(({ answer }) => answer)]))
}

function fullName(test: RunnerTestCase | RunnerTestSuite): string {
  const { suite } = test
  return suite === undefined || 'filepath' in suite
    ? test.name
    : `${fullName(suite)} > ${test.name}`
}

// biome-ignore lint/style/noDefaultExport: vitest imports a runner by its default export
export default MatrixRunner
