// `tenantry migrate` with a running emulator, and with a second emulator that plays the hosted platform.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { ask } from '../../support/fixture-folder.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
let group: TestGroup
beforeAll(async () => {
  at = await workerEmulator()
  group = await createGroup(at, 'shop')
  await provisionTenant(at, group, 'aurora')
  await provisionTenant(at, group, 'borealis')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const NOTES = '20260101000000_notes.sql'
const STARS = '20260102000000_stars.sql'
const FIRST = { [NOTES]: 'create table notes (id int primary key);\n' }
const BOTH = { ...FIRST, [STARS]: '\nalter table notes add column stars int;\n' }

function stepFolder(steps: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(folder.path, 'steps-'))
  for (const [name, sql] of Object.entries(steps)) writeFileSync(join(path, name), sql)
  return path
}

function migrate(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runCli(['migrate', ...args], env).ended
}

const here = (): readonly string[] => ['--url', at.url]
const dataDir = (): string => mkdtempSync(join(folder.path, 'data-'))

describe('tenantry migrate new', () => {
  it('creates a step with a later version than every existing step', async () => {
    const path = stepFolder({ '29990101000000_far.sql': '' })
    const { code, stdout } = await migrate(['new', 'add reviews!', '--dir', path])
    const file = join(path, '29990101000001_add_reviews.sql')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Created ${file}.\n` })
    expect(readFileSync(file, 'utf8')).toBe('-- add reviews!\n')
  })

  it('creates a missing folder, and takes the step’s version from the current time', async () => {
    const path = join(folder.path, 'fresh', 'migrations')
    expect(await migrate(['new', 'first', '--dir', path])).toMatchObject({ code: 0 })
    expect(readdirSync(path)).toEqual([expect.stringMatching(/^20\d{12}_first\.sql$/)])
  })
})

describe('tenantry migrate in a running emulator', () => {
  it('shows the status, applies, and keeps a record of the rollout', async () => {
    const dir = stepFolder(FIRST)
    const before = await migrate(['status', '--dir', dir, ...here()])
    expect(before).toMatchObject({ code: 0 })
    expect(before.stdout).toBe(`Group shop, 1 step
  template  shop      steps: 0 ran, 1 pending (20260101000000_notes); structure: not checked yet
  tenant    aurora    steps: 0 ran, 1 pending (20260101000000_notes); structure: not checked yet (from shop)
  tenant    borealis  steps: 0 ran, 1 pending (20260101000000_notes); structure: not checked yet (from shop)
`)
    const data = dataDir()
    const args = ['apply', '--dir', dir, '--tenants', 'aurora', '--data-dir', data, ...here()]
    expect(await migrate(args)).toMatchObject({
      code: 0,
      stdout: 'template shop: applied 20260101000000\ntenant aurora: applied 20260101000000\n',
    })
    const [record = ''] = readdirSync(join(data, 'rollouts'))
    expect(JSON.parse(readFileSync(join(data, 'rollouts', record), 'utf8'))).toMatchObject({
      group: 'shop',
      template: { applied: ['20260101000000'] },
      tenants: { aurora: { ok: true } },
    })
    const { stdout } = await migrate(['status', '--dir', dir, '--json', ...here()])
    expect(JSON.parse(stdout).tenants.map(({ state }: Json) => state)).toEqual([
      'up_to_date',
      'behind',
    ])
  })

  it('ends with exit code 1 and names file, line and reason when a tenant fails', async () => {
    await ask(at, 'aurora', 'alter table notes add column stars text')
    const dir = stepFolder(BOTH)
    const { code, stdout } = await migrate([
      'apply',
      '--dir',
      dir,
      '--tenants',
      'all',
      '--data-dir',
      dataDir(),
      ...here(),
    ])
    expect(code).toBe(1)
    expect(stdout).toContain(
      `tenant aurora: failed: ${STARS}:2: column "stars" of relation "notes" already exists (42701)`,
    )
    expect(stdout).toContain('tenant borealis: applied 20260101000000, 20260102000000\n')
    expect(stdout).toContain('1 of 2 tenants failed or were skipped.')
  })

  it('ends with exit code 1 for a conflict', async () => {
    const dir = stepFolder({ ...BOTH, [NOTES]: 'select 1' })
    const { code, stdout } = await migrate(['status', '--dir', dir, '--group', group.id, ...here()])
    expect(code).toBe(1)
    expect(stdout).toContain(`conflict (${NOTES} changed after it ran.`)
  })

  it('says what to do when the folder is missing, and names a file without a step name', async () => {
    const missing = await migrate(['status', '--dir', join(folder.path, 'none'), ...here()])
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('tenantry migrate new'),
    })
    const wrong = await migrate(['status', '--dir', stepFolder({ 'a.sql': '' }), ...here()])
    expect(wrong.stderr).toContain('a.sql is not a step name')
  })
})

describe('tenantry migrate on the hosted platform', () => {
  let remote: TestEmulator
  let hosted: TestGroup
  beforeAll(async () => {
    remote = await startTestEmulator({ deterministicSeed: 'hosted' })
    hosted = await createGroup(remote, 'hosted')
    for (const slug of ['north', 'south', 'west']) await provisionTenant(remote, hosted, slug)
  })
  afterAll(() => remote[Symbol.asyncDispose]())

  const keys = () => ({
    TENANTRY_REMOTE_SESSION_TOKEN: remote.session,
    TENANTRY_REMOTE_GROUP_API_KEY: hosted.key,
  })
  const there = () => ['--remote', remote.url, '--group', hosted.id]
  const arm = (effect: object, project: string) =>
    remote.call('POST', '/_emulator/v1/faults', {
      body: { scope: { operation: 'database.exec', project }, effect, count: 1 },
    })

  it('applies nothing without --yes', async () => {
    const dir = stepFolder(FIRST)
    const { code, stdout } = await migrate(
      ['apply', '--dir', dir, '--tenants', 'all', ...there()],
      keys(),
    )
    expect(code).toBe(0)
    expect(stdout).toBe(`template hosted: would apply 20260101000000
tenant north: would apply 20260101000000
tenant south: would apply 20260101000000
tenant west: would apply 20260101000000
Dry run: nothing was applied.
`)
    expect(await ask(remote, 'north', "select to_regclass('notes')")).toEqual([[null]])
  })

  it('continues after a lost answer, stops at a 401, and resumes in the next run', async () => {
    const dir = stepFolder(FIRST)
    const data = dataDir()
    const args = [
      'apply',
      '--dir',
      dir,
      '--tenants',
      'all',
      '--publish',
      '--yes',
      '--data-dir',
      data,
      ...there(),
    ]
    await arm({ kind: 'answer_lost' }, 'north')
    await arm({ kind: 'error', code: 'unauthorized' }, 'south')
    const first = await migrate(args, keys())
    expect(first.code).toBe(1)
    expect(first.stdout).toContain('published hosted_v2\ntenant north: applied 20260101000000\n')
    expect(first.stdout).toMatch(/tenant south: failed: .*\(unauthorized\)/)
    expect(first.stdout).toContain('tenant west: skipped: an earlier tenant failed\n')
    const second = await migrate(args, keys())
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('finished: 1.'),
      stdout: `template hosted: up to date
published hosted_v2
tenant north: up to date
tenant south: applied 20260101000000
tenant west: applied 20260101000000
`,
    })
    const status = await migrate(['status', '--dir', dir, '--json', ...there()], keys())
    expect(JSON.parse(status.stdout)).toMatchObject({
      template: { state: 'up_to_date' },
      versions: [{ slug: 'hosted_v2', state: 'up_to_date' }],
      tenants: [{ state: 'up_to_date' }, { state: 'up_to_date' }, { state: 'up_to_date' }],
    })
  })

  it('requires --group, and keys in the environment', async () => {
    const dir = stepFolder(FIRST)
    const none = await migrate(['status', '--dir', dir, '--remote', remote.url])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('--group') })
    const keyless = await migrate(['status', '--dir', dir, ...there()])
    expect(keyless.stderr).toContain('TENANTRY_REMOTE_GROUP_API_KEY')
  })
})
