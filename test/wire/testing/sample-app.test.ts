// Runs the sample application's own suite as its developers do: with `tenantry/vitest`, four workers and one emulator.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[]
  }[]
}

const APP = 'test/sample-app'
const VITEST = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

const folder = temporaryFolder()
afterAll(() => folder.remove())

let report: Report
beforeAll(async () => {
  const file = join(folder.path, 'report.json')
  const args = [VITEST, 'run', '--root', APP, '--reporter=json', `--outputFile=${file}`]
  // Removes vitest's variables of this suite, which must not reach the workers of the sample application's suite.
  const { VITEST_POOL_ID: _pool, VITEST_WORKER_ID: _worker, VITEST: _vitest, ...env } = process.env
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  await new Promise((resolve) => child.on('close', resolve))
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new Error(`the suite left no report: ${said}`)
  }
}, 280_000)

it('the sample application’s suite passes, with a tenant for each test file', () => {
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ])
  expect(failures).toEqual([])
  expect(report.success).toBe(true)
  expect(report.numFailedTests).toBe(0)
})

it('a thousand tests of the sample application see no row of another test file', () => {
  const crossTalk = report.testResults.filter(({ name }) => name.includes('cross-talk-'))
  expect(crossTalk.map(({ status }) => status)).toEqual(Array(4).fill('passed'))
  expect(crossTalk.flatMap(({ assertionResults }) => assertionResults)).toHaveLength(1_000)
})

it('the suite uses the emulator of the tenantry exec command that runs it', async () => {
  const tests = ['--', process.execPath, VITEST, 'run', '--root', APP, 'own-tenant']
  const cli = spawnCli(['exec', '--fixture', 'none', '--log', 'requests', ...tests])
  const { code, stdout, stderr } = await cli.ended
  expect(stdout).toMatch(/5 passed/)
  expect(code).toBe(0)
  // The log shows that the emulator of this command provisioned the suite's tenants.
  expect(stderr).toContain('project proj_test_5 activated')
})
