// The matrix as text: one line for each test file, and one for each test. Called by `run.ts`.
import { wordsOf } from './changes.ts'
import type { RecordedRules } from './rules.ts'
import type { FileOutcome, TestOutcome } from './runner.ts'
import type { Plant } from './tape.ts'

interface Judged {
  readonly test: TestOutcome
  /** Rules that fail with any of the test's plants. */
  readonly rules: ReadonlySet<string>
  /** Plants that fail the test but no rule. */
  readonly alone: readonly Plant[]
  /** Requests of the test that no rule sends, in situations that a rule causes with other requests. */
  readonly untried: readonly string[]
}

export async function reportOf(
  files: readonly FileOutcome[],
  rules: RecordedRules,
  isDetailed: boolean,
): Promise<string> {
  const failing = remembered(rules)
  const lines: string[] = []
  const all: Judged[] = []
  for (const { file, tests } of files) {
    const judged: Judged[] = []
    for (const test of tests) judged.push(await judge(test, failing, rules))
    all.push(...judged)
    lines.push(
      `${file}: ${summaryOf(judged)}`,
      ...judged.flatMap((one) => linesOf(one, isDetailed)),
    )
  }
  return [...lines, `all: ${summaryOf(all)}`, ''].join('\n')
}

type Failing = (plant: Plant) => Promise<readonly string[]>

/** Caches the failing rules of each plant, because many tests share a plant. */
function remembered(rules: RecordedRules): Failing {
  const known = new Map<string, Promise<readonly string[]>>()
  return (plant) => {
    const key = `${plant.situation} ${wordsOf(plant.change)}`
    const found = known.get(key) ?? rules.failing(plant)
    known.set(key, found)
    return found
  }
}

async function judge(
  test: TestOutcome,
  failing: Failing,
  { inputs }: RecordedRules,
): Promise<Judged> {
  const failed = new Set<string>()
  const alone: Plant[] = []
  for (const plant of test.killed) {
    const names = await failing(plant)
    if (names.length === 0) alone.push(plant)
    for (const name of names) failed.add(name)
  }
  const looked = new Set(test.killed.map(({ situation }) => situation))
  const untried = test.seen
    .filter(
      ([situation, input]) => looked.has(situation) && inputs.get(situation)?.has(input) !== true,
    )
    .map(([, input]) => input)
  return { test, rules: failed, alone, untried }
}

function isCovered({ alone, test }: Judged): boolean {
  return test.state === 'analysed' && test.killed.length > 0 && alone.length === 0
}

function summaryOf(judged: readonly Judged[]): string {
  const count = (state: TestOutcome['state']): number =>
    judged.filter(({ test }) => test.state === state).length
  const killed = judged.reduce((sum, { test }) => sum + test.killed.length, 0)
  const alone = judged.reduce((sum, one) => sum + one.alone.length, 0)
  return [
    `${judged.length} tests`,
    `${count('analysed')} analysed`,
    `${judged.filter(isCovered).length} covered`,
    `${killed} plants found`,
    `${killed - alone} by rules, too`,
    `${count('unsteady')} unsteady`,
    `${count('too slow')} too slow`,
    `${count('no answers')} without answers`,
    `${count('failed')} failed`,
  ].join(', ')
}

function linesOf(one: Judged, isDetailed: boolean): readonly string[] {
  const { alone, rules, test, untried } = one
  const word = isCovered(one) ? 'COVERED' : test.state === 'analysed' ? 'alone' : test.state
  const found = test.killed.length
  const line = `  ${word.padEnd(10)} ${found - alone.length}/${found} ${test.line ?? ''} ${test.name} [${[...rules].join(' ')}]`
  if (!isDetailed) return [line]
  return [
    line,
    ...alone.map(
      ({ change, situation }) => `      only this test: ${situation}: ${wordsOf(change)}`,
    ),
    ...untried.map((input) => `      no rule sends: ${input}`),
  ]
}
