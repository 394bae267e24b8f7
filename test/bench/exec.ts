// How long CI waits: for the result of `tenantry exec`, and for the first test of the sample application. Also for `npm ci` and
// the first `exec` on a machine without the package.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { writeApplication } from './application.ts'
import { median } from './measure.ts'

const ROUNDS = 3
const BUNDLE = resolve('dist/bin.mjs')

/** The smallest test: reads one row over REST. */
const ONE_ROW = `const { TENANTRY_DATA_URL: url, TENANTRY_ANON_KEY: key } = process.env
const answer = await fetch(url + '/treatments?limit=1', { headers: { apikey: key, authorization: 'Bearer ' + key } })
if ((await answer.json()).length !== 1) process.exit(1)`

export interface ExecFigures {
  /** Wall-clock milliseconds of the whole command line, demo fixture and one REST request included; the median. */
  readonly execMillis: number
  /** `exec -- true` without a fixture and with an own application, after a first run; the medians of alternating rounds. */
  readonly trueMillis: { readonly none: number; readonly application: number }
  /** From `vitest run` to the end of the sample application's first test, after a first run; the median. */
  readonly firstTestMillis: number
  readonly bare: BareFigures | string
}

/** Figures for a machine without the package: an empty folder, with npm's usual cache. */
export interface BareFigures {
  readonly ciMillis: number
  readonly firstExecMillis: number
}

export function measureExec(): ExecFigures {
  const rounds = Array.from({ length: ROUNDS }, () =>
    timed(() => run(process.execPath, [BUNDLE, 'exec', ...COMMAND])),
  )
  return {
    execMillis: median(rounds),
    trueMillis: measureTrue(),
    firstTestMillis: measureFirstTest(),
    bare: measureBare(),
  }
}

function measureTrue(): ExecFigures['trueMillis'] {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-exec-'))
  const exec = (...options: readonly string[]) =>
    timed(() => run(process.execPath, [BUNDLE, 'exec', ...options, '--', 'true'], folder))
  try {
    writeApplication(folder)
    // Creates the folder as in a Node project, because `exec` caches the image of the steps in it.
    mkdirSync(join(folder, 'node_modules'))
    exec()
    const rounds = Array.from(
      { length: ROUNDS },
      () => [exec('--fixture', 'none'), exec()] as const,
    )
    return {
      none: median(rounds.map(([none]) => none)),
      application: median(rounds.map(([, application]) => application)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface VitestReport {
  readonly testResults: readonly {
    /** When the first test of the file began. */
    readonly startTime: number
    readonly assertionResults: readonly { readonly duration: number }[]
  }[]
}

function measureFirstTest(): number {
  const vitest = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))
  const command = [join(vitest, 'vitest.mjs'), 'run', '--root', 'test/sample-app', 'own-tenant']
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const begun = Date.now()
    const report: VitestReport = JSON.parse(run(process.execPath, [...command, '--reporter=json']))
    const [file] = report.testResults
    return (file?.startTime ?? 0) + (file?.assertionResults[0]?.duration ?? 0) - begun
  })
  return median(rounds.slice(1))
}

const COMMAND = ['--', process.execPath, '--input-type=module', '-e', ONE_ROW]

// Returns the error message when the packages cannot be installed, for example without a network.
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
