// `tenantry fixture list|check|apply|export`: loads repeatable data into a running emulator. Exits with code 1 when a fixture
// has problems.
import { createWriteStream, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import type { EventBatch } from '../../contract/events.ts'
import type { FixtureCounts, FixtureReport, FixtureSummary } from '../../contract/fixtures.ts'
import { defined } from '../../core/defined.ts'
import { EmulatorError } from '../../core/errors.ts'
import { makeFolder } from '../../core/make-folder.ts'
import type { RunningEmulator } from '../../platform/http-client/running-emulator.ts'
import { BUNDLE_ENDING, readBundle } from '../../workflow/fixtures/read/bundle.ts'
import { problemLine } from '../../workflow/fixtures/read/fixture-error.ts'
import { type LiveLine, type Place, showing } from '../live-line.ts'
import { keptLines, rowChangeTexts } from '../row-changes.ts'
import { emulatorOf, printAnswer, type RunningOptions, runningCommand } from '../running-options.ts'
import { terminal } from '../terminal.ts'

interface ApplyOptions extends RunningOptions {
  readonly seedData?: string
}

interface ExportOptions extends RunningOptions {
  readonly groups: string | undefined
}

class ExportError extends EmulatorError {
  override readonly code = 'not_empty'
}

export function fixtureCommand(): Command {
  const list = runningCommand('list', 'list the fixtures of the package and of ./fixtures').action(
    async (options: RunningOptions) => {
      const answer = await emulatorOf(options).call('GET /fixtures')
      printAnswer(options, answer, fixtureLines(answer.fixtures))
    },
  )
  const check = runningCommand(
    'check',
    'try a fixture without keeping anything; ends with exit code 1 when it has problems',
  )
    .argument('<fixture>', NAMING)
    .option('--seed-data <name>', SEED_DATA)
    .action((fixture: string, options: ApplyOptions) =>
      run('POST /fixtures/check', fixture, options),
    )
  const apply = runningCommand(
    'apply',
    'apply all of a fixture or nothing; rows that were edited stay',
  )
    .argument('<fixture>', NAMING)
    .option('--seed-data <name>', SEED_DATA)
    .action((fixture: string, options: ApplyOptions) =>
      run('POST /fixtures/apply', fixture, options),
    )
  const exportTo = runningCommand('export', 'write the state of the platform as a fixture')
    .argument('<target>', `new folder, or file that ends in ${BUNDLE_ENDING}`)
    .option('--groups <names>', 'export only these groups, comma-separated (default: all)')
    .action((target: string, options: ExportOptions) => write(target, options))
  return new Command('fixture')
    .description('apply fixtures to a running emulator, or export one')
    .addCommand(list)
    .addCommand(check)
    .addCommand(apply)
    .addCommand(exportTo)
}

const NAMING = `name from the list, folder with a fixture.yaml, that file, or *${BUNDLE_ENDING}`

const SEED_DATA =
  'use the rows and files of seeds/<name> in the fixture where it has them (default: none)'

async function run(
  operation: 'POST /fixtures/check' | 'POST /fixtures/apply',
  fixture: string,
  options: ApplyOptions,
): Promise<void> {
  const emulator = emulatorOf(options)
  const named = existsSync(fixture) ? resolve(fixture) : fixture
  const body = defined({ fixture: named, seed_data: options.seedData })
  const isCheck = operation === 'POST /fixtures/check'
  const report = await showing(
    `${isCheck ? 'Checking' : 'Applying'} ${fixture}`,
    (line) => followed(emulator, line, () => emulator.call(operation, { body })),
    {
      afterInterrupt: isCheck
        ? 'A check changes nothing.'
        : 'The emulator may still apply all of it. "tenantry fixture list" shows what is applied.',
    },
  )
  printAnswer(options, report, reportLines(report))
  if (report.problems.length > 0) terminal().exitCode = 1
}

async function write(target: string, options: ExportOptions): Promise<void> {
  const isBundle = target.endsWith(BUNDLE_ENDING)
  if (!isBundle && existsSync(target) && readdirSync(target).length > 0)
    throw new ExportError(`${target} is not empty.`, {
      hint: 'Name a folder that does not exist yet.',
    })
  const body = await emulatorOf(options).open('GET /fixtures/export', {
    query: { groups: options.groups },
  })
  if (isBundle) await pipeline(body, createWriteStream(target))
  else await unpack(body, target)
  printAnswer(options, { target: resolve(target) }, `Wrote ${target}.`)
}

async function unpack(body: ReadableStream<Uint8Array>, folder: string): Promise<void> {
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  for (const [name, content] of await readBundle(bytes, folder)) {
    const path = join(folder, ...name.split('/'))
    makeFolder(dirname(path))
    writeFileSync(path, content)
  }
}

/** Shows where the application of a fixture is, from live events of the emulator, while `work` runs. */
async function followed<Result>(
  emulator: RunningEmulator,
  line: LiveLine,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!line.isShown) return await work()
  const reader = (await emulator.open('GET /events', {})).getReader()
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const frames = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = frames.pop() ?? ''
      for (const place of frames.flatMap(placesIn)) line.show(place)
    }
  }
  follow().catch(() => undefined)
  try {
    return await work()
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function placesIn(frame: string): readonly Place[] {
  const data = /^data: (.*)$/m.exec(frame)?.[1]
  if (data === undefined) return []
  // The emulator itself sends these events, so their shape needs no check.
  const { events } = JSON.parse(data) as EventBatch
  const last = events.findLast((event) => event.kind === 'fixture')
  return last === undefined ? [] : [{ what: last.step, done: last.done, total: last.total }]
}

/** Prints one line per fixture. */
function fixtureLines(fixtures: readonly FixtureSummary[]): string {
  const width = Math.max(0, ...fixtures.map(({ name }) => name.length))
  return fixtures
    .map(
      ({ is_applied: isApplied, name, title }) =>
        `${name.padEnd(width)}  ${isApplied ? '✓' : ' '}  ${title}`,
    )
    .join('\n')
}

/** Lists problems one per line, in the format that editors and terminals link. Without problems, lists what was created. */
function reportLines(report: FixtureReport): string {
  const { applied, created, duration_ms: millis, fixture, problems, rows, unchanged } = report
  if (problems.length > 0)
    return [
      ...problems.map(problemLine),
      `${fixture}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}; nothing was applied.`,
    ].join('\n')
  const head = applied ? `Applied ${fixture}` : `${fixture} has no problems`
  const made = countsText(created)
  const changes = rowChangeTexts(rows)
  const kept = countsText(unchanged)
  const parts = [
    `${applied ? 'made' : 'would make'} ${made || 'nothing new'}`,
    ...changes,
    ...(kept === '' ? [] : [`there already: ${kept}`]),
  ]
  return [`${head} in ${millis} ms: ${parts.join('; ')}.`, ...keptLines(rows)].join('\n')
}

function countsText(counts: FixtureCounts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ')
}
