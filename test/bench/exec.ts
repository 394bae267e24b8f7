// How long CI waits: `tenantry exec` from start to the command's result, and everything on a machine that has nothing yet,
// from `npm ci` on.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median } from './measure.ts'

const ROUNDS = 3
const BUNDLE = resolve('dist/bin.mjs')

/** The least a test does: one row over REST. */
const ONE_ROW = `const { TENANTRY_DATA_URL: url, TENANTRY_ANON_KEY: key } = process.env
const answer = await fetch(url + '/treatments?limit=1', { headers: { apikey: key, authorization: 'Bearer ' + key } })
if ((await answer.json()).length !== 1) process.exit(1)`

export interface ExecFigures {
  /** Wall-clock milliseconds of the whole command line, demo fixture and one REST request included; the median. */
  readonly execMillis: number
  readonly bare: BareFigures | string
}

/** On a machine without the package: an empty folder, npm's own cache. */
export interface BareFigures {
  readonly ciMillis: number
  readonly firstExecMillis: number
}

export function measureExec(): ExecFigures {
  const rounds = Array.from({ length: ROUNDS }, () =>
    timed(() => run(process.execPath, [BUNDLE, 'exec', ...COMMAND])),
  )
  return { execMillis: median(rounds), bare: measureBare() }
}

const COMMAND = ['--', process.execPath, '--input-type=module', '-e', ONE_ROW]

// Without a network there may be nothing to install from: then the reason is the figure.
function measureBare(): BareFigures | string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bare-'))
  const npm = (...args: readonly string[]) =>
    run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], folder)
  try {
    run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder])
    const [tarball = ''] = run('ls', [folder]).trim().split('\n')
    const dependencies = { tenantry: `file:${tarball}` }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
    npm('install')
    rmSync(join(folder, 'node_modules'), { recursive: true })
    const ciMillis = timed(() => npm('ci'))
    const bin = join(folder, 'node_modules', '.bin', 'tenantry')
    return { ciMillis, firstExecMillis: timed(() => run(bin, ['exec', ...COMMAND], folder)) }
  } catch (error) {
    return `not measured: ${String(error).split('\n')[0]}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(file: string, args: readonly string[], cwd?: string): string {
  return execFileSync(file, [...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  })
}

function timed(work: () => unknown): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}
