// `tenantry fixture list|check|apply|export`: repeatable data in a running emulator. Exit code 1 when a fixture has problems.
import { createWriteStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'commander'
import { EmulatorError } from '../../core/errors.ts'
import { BUNDLE_ENDING, readBundle } from '../../fixtures/read/bundle.ts'
import { watchFixture } from '../fixture-progress.ts'
import { fixtureLines, reportLines } from '../fixture-report.ts'
import { reachEmulator } from '../running-emulator.ts'
import { DEFAULT_PORT } from './start.ts'

interface PlaceOptions {
  readonly url: string
  readonly adminToken: string | undefined
  readonly json: boolean
}

interface ExportOptions extends PlaceOptions {
  readonly groups: string | undefined
}

class ExportError extends EmulatorError {
  override readonly code = 'not_empty'
}

export function fixtureCommand(): Command {
  const command = new Command('fixture').description(
    'bring a running emulator to a state, or keep it',
  )
  for (const each of [listCommand(), checkCommand(), applyCommand(), exportCommand()])
    command.addCommand(each)
  return command
}

function listCommand(): Command {
  return placed(new Command('list'))
    .description('show the stories that come with the package and those of ./fixtures')
    .action(async (options: PlaceOptions) => {
      const answer = await emulatorAt(options).call('GET /fixtures')
      print(options.json ? JSON.stringify(answer) : fixtureLines(answer.fixtures))
    })
}

function checkCommand(): Command {
  return placed(new Command('check'))
    .description('try a fixture and keep nothing; exit code 1 when it has problems')
    .argument('<fixture>', NAMING)
    .action((fixture: string, options: PlaceOptions) =>
      run('POST /fixtures/check', fixture, options),
    )
}

function applyCommand(): Command {
  return placed(new Command('apply'))
    .description('apply a fixture, all of it or nothing; what is there already stays')
    .argument('<fixture>', NAMING)
    .action((fixture: string, options: PlaceOptions) =>
      run('POST /fixtures/apply', fixture, options),
    )
}

function exportCommand(): Command {
  return placed(new Command('export'))
    .description('write the running platform as a fixture')
    .argument('<target>', `a folder that is not there yet, or a file that ends in ${BUNDLE_ENDING}`)
    .option('--groups <names>', 'only these groups, comma-separated')
    .action((target: string, options: ExportOptions) => write(target, options))
}

const NAMING = `name of a listed one, a folder with a fixture.yaml, that file, or a *${BUNDLE_ENDING}`

async function run(
  operation: 'POST /fixtures/check' | 'POST /fixtures/apply',
  fixture: string,
  options: PlaceOptions,
): Promise<void> {
  const emulator = emulatorAt(options)
  const named = existsSync(fixture) ? resolve(fixture) : fixture
  const stop = options.json ? () => {} : await watchFixture(emulator, process.stderr)
  try {
    const report = await emulator.call(operation, { body: { fixture: named } })
    stop()
    print(options.json ? JSON.stringify(report) : reportLines(report))
    if (report.problems.length > 0) process.exitCode = 1
  } finally {
    stop()
  }
}

async function write(target: string, options: ExportOptions): Promise<void> {
  const isBundle = target.endsWith(BUNDLE_ENDING)
  if (!isBundle && existsSync(target) && readdirSync(target).length > 0)
    throw new ExportError(`${target} is not empty.`, {
      hint: 'Name a folder that is not there yet.',
    })
  const body = await emulatorAt(options).open('GET /fixtures/export', {
    query: { groups: options.groups },
  })
  if (isBundle) await pipeline(body, createWriteStream(target))
  else await unpack(body, target)
  print(options.json ? JSON.stringify({ target: resolve(target) }) : `Wrote ${target}.`)
}

async function unpack(body: ReadableStream<Uint8Array>, folder: string): Promise<void> {
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  for (const [name, content] of await readBundle(bytes, folder)) {
    const path = join(folder, ...name.split('/'))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

function placed(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'where the emulator runs')
        .env('TENANTRY_AUTH_URL')
        .default(`http://127.0.0.1:${DEFAULT_PORT}`),
    )
    .option('--admin-token <token>', 'the one the emulator was started with, if it was')
    .addOption(new Option('--json', 'print what the emulator’s API answers').default(false))
}

function emulatorAt({ adminToken, url }: PlaceOptions) {
  return reachEmulator(url, adminToken)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
