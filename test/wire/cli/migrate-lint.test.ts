// `tenantry migrate lint` with a running emulator and without one.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { createGroup, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  await createGroup(at, 'linted')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const NOTES = '20260101000000_notes.sql'
const OPEN = '20260102000000_open.sql'
const SAFE = 'create table notes (id int);\nalter table notes enable row level security;\n'
const STEPS = { [NOTES]: SAFE, [OPEN]: '\ncreate policy shop_window on notes using (true);\n' }
/** A port on which nothing listens. */
const NOT_RUNNING = ['--url', 'http://127.0.0.1:9']

function stepFolder(steps: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(folder.path, 'steps-'))
  for (const [name, sql] of Object.entries(steps)) writeFileSync(join(path, name), sql)
  return path
}

function lint(args: readonly string[]): Promise<Ended> {
  return runCli(['migrate', 'lint', ...args]).ended
}

describe('tenantry migrate lint', () => {
  it('lints every step when no emulator runs, and says so', async () => {
    const { code, stderr, stdout } = await lint(['--dir', stepFolder(STEPS), ...NOT_RUNNING])
    expect(code).toBe(1)
    expect(stderr).toContain('No emulator answers at http://127.0.0.1:9.')
    expect(stdout).toMatch(/^20260102000000_open\.sql:2 {2}error {2}policy-always-true {2}\S/)
    expect(stdout).toContain('\n  safer:\n    ')
    expect(stdout).toMatch(/\n2 steps linted: 1 error, 0 warnings\.\n$/)
  })

  it('ends with exit code 0 when a comment accepts the finding', async () => {
    const accepted = '-- tenantry: allow policy-always-true everybody may read\n'
    const dir = stepFolder({ ...STEPS, [OPEN]: accepted + STEPS[OPEN] })
    expect(await lint(['--dir', dir, '--all'])).toMatchObject({
      code: 0,
      stdout: '2 steps linted: 0 errors, 0 warnings.\n',
    })
  })

  it('lints only the steps that the template of a running emulator lacks', async () => {
    const dir = stepFolder(STEPS)
    const path = '/_emulator/v1/groups/linted/migrations/apply'
    await at.call('POST', path, { body: { steps: [{ file: NOTES, sql: SAFE }] } })
    const { code, stdout } = await lint(['--dir', dir, '--json', '--url', at.url])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      group: 'linted',
      steps: [OPEN],
      findings: [{ file: OPEN, line: 2, rule: 'policy-always-true' }],
    })
  })
})
