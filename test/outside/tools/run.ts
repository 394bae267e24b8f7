// `npm run outside [-- --only NAME] [--engine embedded|server]`: runs third-party tools against both engines and records the
// results in results.json. `npm run docs` makes the table of docs/reference/platforms.md from this file. npm and Debian packages
// are installed into a temporary folder. Tools that can't be installed are skipped with a message.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageFile } from '../../../emulator/core/package-files.ts'
import type { Outcome, ToolResult } from '../../../scripts/outside-table.ts'
import { debianVariables, installTool } from './install.ts'
import { mergeResults, outcomeOf } from './outcome.ts'
import { type OutsideEngine, startEmbedded, startServer } from './outside-engines.ts'
import { runProgram } from './run-program.ts'
import type { OutsideTool, ToolPlace } from './tool.ts'
import { OUTSIDE_TOOLS } from './tools.ts'

const RESULTS = packageFile('test/outside/tools/results.json')

const { values } = parseArgs({ options: { only: { type: 'string' }, engine: { type: 'string' } } })
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

process.exitCode = await main()

async function main(): Promise<number> {
  const wanted = OUTSIDE_TOOLS.filter(({ name }) => name.includes(values.only ?? ''))
  if (wanted.length === 0) {
    say(
      `No tool is named "${values.only}". The tools: ${OUTSIDE_TOOLS.map(({ name }) => name).join(', ')}`,
    )
    return 2
  }
  const engines: OutsideEngine[] = []
  const fresh: ToolResult[] = []
  try {
    if (values.engine !== 'server') engines.push(await startEmbedded())
    const server = values.engine === 'embedded' ? undefined : await startServer()
    if (typeof server === 'string') say(server)
    else if (server !== undefined) engines.push(server)
    for (const tool of wanted) fresh.push(...(await runTool(tool, engines)))
  } finally {
    for (const engine of engines) await engine[Symbol.asyncDispose]()
  }
  const names = OUTSIDE_TOOLS.map(({ name }) => name)
  const merged = mergeResults(names, JSON.parse(readFileSync(RESULTS, 'utf8')), fresh)
  writeFileSync(RESULTS, `${JSON.stringify(merged, undefined, 2)}\n`)
  const failed = fresh.filter(({ outcomes }) => Object.values(outcomes).some(isFailure))
  say(
    `${fresh.length - failed.length} of ${wanted.length} tools as expected, ${failed.length} failed. "npm run docs" writes the table.`,
  )
  return failed.length === 0 ? 0 : 1
}

function isFailure(outcome: Outcome): boolean {
  return outcome.startsWith('fails')
}

/** Returns an empty list when the tool can't be installed. */
async function runTool(
  tool: OutsideTool,
  engines: readonly OutsideEngine[],
): Promise<readonly ToolResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-outside-'))
  try {
    const installed = await installTool(tool, folder)
    if ('skipped' in installed) {
      say(installed.skipped)
      return []
    }
    const outcomes: Partial<Record<OutsideEngine['name'], Outcome>> = {}
    for (const engine of engines) {
      const failure = await failureOf(tool, engine, folder)
      outcomes[engine.name] = outcomeOf(tool, failure)
      say(`${tool.name} ${installed.version} on ${engine.name}: ${outcomes[engine.name]}`)
      if (outcomes[engine.name]?.startsWith('fails')) say(failure ?? '')
    }
    const { name, does, setting } = tool
    return [{ name, version: installed.version, does, setting, outcomes }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function failureOf(
  tool: OutsideTool,
  engine: OutsideEngine,
  folder: string,
): Promise<string | undefined> {
  const tenant = await engine.freshTenant(`tool${OUTSIDE_TOOLS.indexOf(tool)}`)
  try {
    await tool.run(placeOf(tenant, folder, { engine: engine.name, env: tool.env ?? {} }))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Tenant = Awaited<ReturnType<OutsideEngine['freshTenant']>>

// Each engine has its own folder inside the packages' folder, so that the run on one engine does not see files of the other run.
function placeOf(
  tenant: Tenant,
  folder: string,
  { engine, env: own }: { readonly engine: string; readonly env: Readonly<Record<string, string>> },
): ToolPlace {
  const { url, schema, s3 } = tenant
  const cwd = join(folder, engine)
  mkdirSync(cwd)
  const env = {
    ...debianVariables(folder),
    ...own,
    DATABASE_URL: url,
    SCHEMA: schema,
    S3_ENDPOINT: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.access_key_id,
    AWS_SECRET_ACCESS_KEY: s3.secret_access_key,
    AWS_REGION: s3.region,
    // Clears the variable, because rclone refuses to start with a bundle of certificates. HTTP addresses need no certificates.
    AWS_CA_BUNDLE: '',
  }
  const write: ToolPlace['write'] = (name, text) => {
    const path = join(cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const run = (file: string, args: readonly string[]) => runProgram(file, args, { cwd, env })
  return {
    ...tenant,
    write,
    read: (name) => readFileSync(join(cwd, name), 'utf8'),
    program: (file, ...args) => run(join(folder, file), args),
    script: (text) => run(process.execPath, [write('script.mjs', text)]),
    python: (text) => run('/usr/bin/python3', [write('script.py', text)]),
  }
}
