// `npm run conformance:matrix -- [--area NAME] [--details] [FILE …]`: changes the answers of the emulator, one change at a time.
// Prints for each test how many changes fail the test, and how many of these also fail a rule of docs/wire (CONTRIBUTING.md).
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { WORKERS } from '../../support/vitest-workers.ts'
import { reportOf } from './report.ts'
import { recordRules } from './rules.ts'
import type { FileOutcome } from './runner.ts'

const AREAS: Readonly<Record<string, readonly string[]>> = {
  control: ['test/wire/control/*.test.ts', 'test/unit/control/**/*.test.ts'],
  tokens: ['test/wire/tokens/*.test.ts'],
  storage: ['test/wire/storage/*.test.ts'],
  auth: ['test/wire/auth/*.test.ts'],
}
const OUT = '.cache/conformance-matrix'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { area: { type: 'string', multiple: true }, details: { type: 'boolean' } },
})
const areas = values.area ?? (positionals.length > 0 ? [] : Object.keys(AREAS))
const files = [
  ...areas.flatMap((area) => globSync([...(AREAS[area] ?? [])])),
  ...positionals,
].sort()

const due = files.filter(isDue)
if (due.length > 0) await plant(due)
mkdirSync(OUT, { recursive: true })
const outcomes = files
  .filter((file) => existsSync(outcomeOf(file)))
  .map((file): FileOutcome => JSON.parse(readFileSync(outcomeOf(file), 'utf8')))
const rules = await recordRules(join(OUT, 'rules.v8'))
const report = await reportOf(outcomes, rules, values.details === true)
writeFileSync(join(OUT, 'report.txt'), report)
process.stdout.write(report)
process.exit()

function outcomeOf(file: string): string {
  return join(OUT, `${file.replaceAll('/', '+')}.json`)
}

/** Whether a test file has no outcome that is newer than the file. A new run thus continues a stopped run. */
function isDue(file: string): boolean {
  const outcome = outcomeOf(file)
  return !existsSync(outcome) || statSync(outcome).mtimeMs < statSync(file).mtimeMs
}

async function plant(due: readonly string[]): Promise<void> {
  const vitest = await startVitest('test', [...due], {
    ...WORKERS,
    config: false,
    watch: false,
    include: [...due],
    runner: 'test/conformance/matrix/runner.ts',
    includeTaskLocation: true,
    reporters: ['dot'],
    env: { ...WORKERS.env, MATRIX_OUT: OUT },
  })
  await vitest.close()
}
