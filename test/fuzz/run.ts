// `npm run fuzz -- --target rest-query --runs 100000 --seed 1`: tries cases against an emulator in memory, one target after
// the other, and ends with 1 when a case fails.
import { parseArgs } from 'node:util'
import { type FuzzWorld, openFuzzWorld } from './fuzz-world.ts'
import { type FuzzOrder, type FuzzOutcome, runTarget } from './run-target.ts'
import type { FuzzTarget } from './target.ts'
import { auth } from './targets/auth.ts'
import { bundle } from './targets/bundle.ts'
import { changedSteps } from './targets/changed-steps.ts'
import { fixtureFiles } from './targets/fixture.ts'
import { knownShapes } from './targets/known-shapes.ts'
import { postgres } from './targets/postgres.ts'
import { realtime } from './targets/realtime.ts'
import { restBody } from './targets/rest-body.ts'
import { restQuery } from './targets/rest-query.ts'
import { s3 } from './targets/s3.ts'
import { schemaDiff } from './targets/schema-diff.ts'

interface ChosenTarget extends Pick<FuzzTarget<unknown>, 'name' | 'casesPerRun'> {
  readonly run: (world: FuzzWorld, order: FuzzOrder) => Promise<FuzzOutcome>
}

const TARGETS: readonly ChosenTarget[] = [
  chosenTarget(restQuery),
  chosenTarget(restBody),
  chosenTarget(knownShapes),
  chosenTarget(auth),
  chosenTarget(s3),
  chosenTarget(realtime),
  chosenTarget(postgres),
  chosenTarget(fixtureFiles),
  chosenTarget(schemaDiff),
  chosenTarget(changedSteps),
  chosenTarget(bundle),
]
const REPORT_EVERY = 10_000

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})
const DEFAULT_RUNS = 100_000
const [runs, seed] = [Number(values.runs ?? DEFAULT_RUNS), Number(values.seed)]
const chosen = TARGETS.filter(({ name }) => values.target === undefined || name === values.target)
if (chosen.length === 0 || !Number.isSafeInteger(runs) || !Number.isSafeInteger(seed)) {
  const names = TARGETS.map(({ name }) => name).join(', ')
  process.stderr.write(`Use --runs <number>, --seed <number> and --target <one of ${names}>.\n`)
  process.exit(2)
}
for (const target of chosen) await fuzz(target)

// Hides the type of the target's cases, so that targets of different types fit into one list.
function chosenTarget<Case>(target: FuzzTarget<Case>): ChosenTarget {
  const { casesPerRun, name } = target
  return { name, casesPerRun, run: (world, order) => runTarget(target, world, order) }
}

async function fuzz(target: ChosenTarget): Promise<void> {
  const started = performance.now()
  const seconds = (): string => ((performance.now() - started) / 1_000).toFixed(0)
  await using world = await openFuzzWorld()
  const cases = values.runs === undefined ? runs * (target.casesPerRun ?? 1) : runs
  const outcome = await target.run(world, {
    runs: cases,
    seed,
    onBatch: (done) => {
      if (done % REPORT_EVERY === 0) print(`${target.name} ${done} cases, ${seconds()} s`)
    },
  })
  report(target.name, outcome, seconds())
}

function report(
  name: string,
  { runs: done, outcomes, failure }: FuzzOutcome,
  seconds: string,
): void {
  const most = [...outcomes].sort(([, one], [, other]) => other - one).slice(0, 25)
  print(most.map(([outcome, count]) => `  ${String(count).padStart(7)} ${outcome}`).join('\n'))
  if (failure === undefined) print(`${name}: ${done} cases held, seed ${seed}, ${seconds} s`)
  else {
    print(`FAILED after ${done} cases, seed ${seed}\n${failure}`)
    process.exitCode = 1
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
