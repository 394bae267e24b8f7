// `npm run conformance -- --corpus DIR [--tool DIR] [--config base|all] [--failing FILE]`: runs the cases in DIR
// (`corpus.json`, `fixtures.sql`) against the pipeline and ends with a table and `N passed, N failed`.
import { createHash } from 'node:crypto'
import { existsSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Engine } from '../../emulator/database/engine.ts'
import { parseConfiguration } from './configuration.ts'
import { openConformanceHost } from './host.ts'
import { bareEngine, loadFixtures, loginRoleOf, reopenFixtures } from './open-engine.ts'

interface CaseResult {
  readonly c: { readonly id: string; readonly describe: readonly string[]; readonly title: string }
  readonly outcome: 'pass' | 'fail' | 'skip'
  readonly why?: string
  readonly bad?: readonly string[]
}

/** The exports of the corpus's tool, which is not part of this repository. */
interface Runner {
  runCorpus(options: object): Promise<{ readonly results: readonly CaseResult[] }>
  summarize(results: readonly CaseResult[]): {
    readonly files: Map<string, object>
    readonly configs: Map<string, object>
  }
  table(title: string, rows: Map<string, object>): string
}

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    tool: { type: 'string' },
    config: { type: 'string', default: 'base' },
    failing: { type: 'string' },
    only: { type: 'string' },
    report: { type: 'string' },
  },
})

// Features that some cases require, and that the host has.
const PROVIDED = [
  'asymmetric-jwt-key',
  'file_fdw',
  'foreign-jwt',
  'jwt-cache',
  'no-jwt-secret',
  'plan-cost',
  'prepared-statements',
  'server-limits',
  'server-timing',
]

// One of the cases runs a JSON Schema validator in PL/pgSQL, which is slow.
const SLOWEST_MILLIS = 90_000

await main()

async function main(): Promise<void> {
  const { corpus, tool = process.env['CONFORMANCE_TOOL'] ?? corpus } = values
  if (corpus === undefined || tool === undefined) {
    process.stderr.write('--corpus DIR is missing: the directory of corpus.json and fixtures.sql\n')
    process.exitCode = 2
    return
  }
  // The tool is in another folder, whose path is known only at run time.
  const runner = (await import(pathToFileURL(resolve(tool, 'run.mjs')).href)) as Runner
  const host = await openConformanceHost()
  let engine: Engine | undefined
  const configure = async (given: Readonly<Record<string, unknown>>, group: string) => {
    host.refuseEverything()
    try {
      const configuration = parseConfiguration(given)
      await engine?.close()
      const database = await freshFixtures(corpus)
      engine = bareEngine(database, await loginRoleOf(database))
      await host.configure(configuration, engine)
    } catch (error) {
      // All cases of the group fail, and are counted.
      process.stderr.write(`the group ${group} cannot be configured: ${String(error)}\n`)
    }
  }
  try {
    const { results } = await runner.runCorpus({
      corpusFile: join(corpus, 'corpus.json'),
      baseUrl: host.baseUrl,
      config: values.config,
      provide: PROVIDED,
      timeout: SLOWEST_MILLIS,
      plugin: { configure },
      ...(values.only === undefined ? {} : { only: values.only }),
    })
    report(runner, results)
  } finally {
    await host.close()
    await engine?.close()
  }
}

// Caches a dump of the loaded database beside its script, because opening a dump is much faster than loading the script.
async function freshFixtures(corpus: string) {
  const text = readFileSync(join(corpus, 'fixtures.sql'), 'utf8')
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const dumped = join(corpus, `fixtures-${digest}.tar`)
  if (!existsSync(dumped)) {
    const loaded = await loadFixtures(text)
    const dump = await loaded.dumpDataDir('none')
    writeFileSync(dumped, new Uint8Array(await dump.arrayBuffer()))
    await loaded.close()
  }
  return reopenFixtures(text, await openAsBlob(dumped))
}

function report(runner: Runner, results: readonly CaseResult[]): void {
  const failed = results.filter(({ outcome }) => outcome === 'fail')
  const passed = results.filter(({ outcome }) => outcome === 'pass')
  const { files, configs } = runner.summarize(results)
  const tables = [runner.table('file', files), runner.table('config', configs)]
  const summary = `${passed.length} passed, ${failed.length} failed`
  process.stdout.write(`${tables.join('\n\n')}\n\n${summary}\n`)
  if (values.failing !== undefined)
    writeFileSync(values.failing, failed.map(({ c }) => `${c.id}\n`).join(''))
  if (values.report !== undefined) writeFileSync(values.report, failed.map(describe).join('\n'))
  process.exitCode = failed.length === 0 && results.length > 0 ? 0 : 1
}

function describe({ c, bad = [] }: CaseResult): string {
  return [`${c.id} ${[...c.describe, c.title].join(' > ')}`, ...bad.map((one) => `  ${one}`)].join(
    '\n',
  )
}
