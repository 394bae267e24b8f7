// `npm run soak -- --minutes 10 --kills 10 --seed 1 --only full-disk --engine postgres`: attacks and mixed traffic against the
// built product. Prints at least one line a minute, and ends with exit code 1 when a property does not hold.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machineLine, watchMachine } from './machine.ts'
import { mixed } from './mixed/mixed.ts'
import { createRandom } from './random.ts'
import type { Scenario } from './scenario.ts'
import { beyondLoopback } from './scenarios/beyond-loopback.ts'
import { changeRace } from './scenarios/change-race.ts'
import { clockPoison } from './scenarios/clock-poison.ts'
import { deadMemory } from './scenarios/dead-memory.ts'
import { descriptors } from './scenarios/descriptors.ts'
import { endlessStatement } from './scenarios/endless-statement.ts'
import { fullDisk } from './scenarios/full-disk.ts'
import { largeBodies } from './scenarios/large-bodies.ts'
import { quadraticXml } from './scenarios/quadratic-xml.ts'
import { uploads } from './scenarios/uploads.ts'

const SCENARIOS: readonly Scenario[] = [
  fullDisk,
  uploads,
  beyondLoopback,
  endlessStatement,
  descriptors,
  deadMemory,
  quadraticXml,
  largeBodies,
  clockPoison,
  changeRace,
  mixed,
]
const LINE_MILLIS = 60_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    kills: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    engine: { type: 'string', default: 'embedded' },
  },
})
const minutes = Number(values.minutes)
const kills = Number(values.kills ?? Math.max(1, Math.floor(minutes)))
const seed = Number(values.seed)
const chosen = SCENARIOS.filter(({ name }) => values.only === undefined || name === values.only)
const isEngine = values.engine === 'embedded' || values.engine === 'postgres'
if (
  chosen.length === 0 ||
  !(minutes > 0) ||
  !(kills >= 0) ||
  !Number.isSafeInteger(seed) ||
  !isEngine
) {
  const names = SCENARIOS.map(({ name }) => name).join(', ')
  print(
    `Use --minutes <number>, --kills <number>, --seed <number>, --engine <embedded or postgres> and --only <one of ${names}>.`,
  )
  process.exit(2)
}
if (!existsSync('dist/bin.mjs')) {
  print('The product is not built: run "npm run build" first.')
  process.exit(2)
}
// The product and the emulators of this process read this variable.
process.env['TENANTRY_ENGINE'] = values.engine
await watchMachine()
print(
  `seed ${seed}, ${minutes} minutes and ${kills} kills of mixed traffic, engine ${values.engine}`,
)
print(machineLine())
let failures = 0
for (const scenario of chosen) await attempt(scenario)
print(failures === 0 ? 'everything held' : `${failures} of ${chosen.length} scenarios failed`)
process.exit(failures === 0 ? 0 : 1)

async function attempt({ name, title, run }: Scenario): Promise<void> {
  const started = performance.now()
  const seconds = (): string => `${((performance.now() - started) / 1_000).toFixed(0)} s`
  print(`${name}: ${title}`)
  const ticking = setInterval(
    () => print(`${name}: goes on after ${seconds()}; ${machineLine()}`),
    LINE_MILLIS,
  )
  try {
    const random = createRandom(seed).fork(name)
    const log = (line: string): void => print(`${name}: ${line}`)
    const outcome = await run({ random, minutes, kills, log })
    if ('skipped' in outcome) print(`${name}: SKIPPED, ${outcome.skipped}`)
    else print(`${name}: held after ${seconds()}: ${outcome.figures}`)
  } catch (error) {
    failures += 1
    print(`${name}: FAILED after ${seconds()}, seed ${seed}: ${messageOf(error)}`)
  } finally {
    clearInterval(ticking)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
