// `tenantry fixture list|check|apply|export`: loads repeatable data into a running emulator. Exits with code 1 when a fixture
// has problems.
import { createWriteStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { EmulatorError } from '../../core/errors.ts'
import { BUNDLE_ENDING, readBundle } from '../../fixtures/read/bundle.ts'
import { watchFixture } from '../fixture-progress.ts'
import { fixtureLines, reportLines } from '../fixture-report.ts'
import {
  emulatorOf,
  printAnswer,
  type RunningOptions,
  withRunningOptions,
} from '../running-options.ts'

interface ExportOptions extends RunningOptions {
  readonly groups: string | undefined
}

class ExportError extends EmulatorError {
  override readonly code = 'not_empty'
}

export function fixtureCommand(): Command {
  const command = new Command('fixture').description(
    'apply fixtures to a running emulator, or export one',
  )
  for (const each of [listCommand(), checkCommand(), applyCommand(), exportCommand()])
    command.addCommand(each)
  return command
}

function listCommand(): Command {
  return withRunningOptions(new Command('list'))
    .description('list the fixtures of the package and of ./fixtures')
    .action(async (options: RunningOptions) => {
      const answer = await emulatorOf(options).call('GET /fixtures')
      printAnswer(options, answer, fixtureLines(answer.fixtures))
    })
}

function checkCommand(): Command {
  return withRunningOptions(new Command('check'))
    .description(
      'try a fixture without keeping anything; ends with exit code 1 when it has problems',
    )
    .argument('<fixture>', NAMING)
    .action((fixture: string, options: RunningOptions) =>
      run('POST /fixtures/check', fixture, options),
    )
}

function applyCommand(): Command {
  return withRunningOptions(new Command('apply'))
    .description('apply all of a fixture or nothing; existing data stays')
    .argument('<fixture>', NAMING)
    .action((fixture: string, options: RunningOptions) =>
      run('POST /fixtures/apply', fixture, options),
    )
}

function exportCommand(): Command {
  return withRunningOptions(new Command('export'))
    .description('write the state of the platform as a fixture')
    .argument('<target>', `new folder, or file that ends in ${BUNDLE_ENDING}`)
    .option('--groups <names>', 'export only these groups, comma-separated (default: all)')
    .action((target: string, options: ExportOptions) => write(target, options))
}

const NAMING = `name from the list, folder with a fixture.yaml, that file, or *${BUNDLE_ENDING}`

async function run(
  operation: 'POST /fixtures/check' | 'POST /fixtures/apply',
  fixture: string,
  options: RunningOptions,
): Promise<void> {
  const emulator = emulatorOf(options)
  const named = existsSync(fixture) ? resolve(fixture) : fixture
  const stop = options.json ? () => {} : await watchFixture(emulator, process.stderr)
  try {
    const report = await emulator.call(operation, { body: { fixture: named } })
    stop()
    printAnswer(options, report, reportLines(report))
    if (report.problems.length > 0) process.exitCode = 1
  } finally {
    stop()
  }
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
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
