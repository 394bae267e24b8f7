// Starts the emulator for the bench: a process of its own, with a data directory and one port.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadyLine } from '../../emulator/index.ts'
import { type CliProcess, runProgram } from '../support/cli-process.ts'

export interface BenchServer {
  readonly cli: CliProcess
  readonly ready: ReadyLine
  readonly port: number
  readonly pid: number
  /** Wall-clock milliseconds from spawning the process to the first row over REST. */
  readonly firstRowMillis: number
}

/** Arguments of `npm start`. `npm run bench` builds the bundle first. */
const BUNDLE = ['--max-semi-space-size=8', 'dist/bin.mjs']

export function temporaryDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'tenantry-bench-'))
}

export interface StartOptions {
  /** File for the stages of the start (start-marks.ts). */
  readonly marks?: string
  readonly engine?: 'embedded' | 'postgres'
}

export async function startServer(
  dataDir: string,
  { engine = 'embedded', marks }: StartOptions = {},
): Promise<BenchServer> {
  const spawned = performance.now()
  const chosen = engine === 'embedded' ? [] : ['--engine', engine]
  const marking = marks === undefined ? [] : ['--import', './test/bench/start-marks.ts']
  const options = ['--json', '--port', '0', '--data-dir', dataDir, ...chosen]
  const cli = runProgram(
    [process.execPath, ...marking, ...BUNDLE, 'start', ...options],
    marks === undefined ? {} : { TENANTRY_BENCH_MARKS: marks },
  )
  const ready = await cli.ready
  const key = ready.groups[0]?.tenants[0]?.anon_key ?? ''
  const response = await fetch(`${ready.data_url}/treatments?limit=1`, {
    headers: { apikey: key, authorization: `Bearer ${key}` },
  })
  const rows = (await response.json()) as unknown[]
  if (rows.length !== 1) throw new Error(`the first row did not come: ${response.status}`)
  return {
    cli,
    ready,
    port: Number(new URL(ready.data_url).port),
    pid: cli.child.pid ?? 0,
    firstRowMillis: performance.now() - spawned,
  }
}

export async function stopServer({ cli }: BenchServer): Promise<void> {
  cli.child.kill('SIGINT')
  await cli.ended
}

/** Sends one management request. Throws when the request fails. */
export async function manage<Body>(
  server: BenchServer,
  credential: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(server.ready.auth_url + path, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  const answer = JSON.parse(text) as Body & { error?: unknown }
  if (answer.error !== undefined && answer.error !== null)
    throw new Error(`${method} ${path}: ${text}`)
  return answer
}
