// `tenantry pull` into the folder of an earlier pull writes a step with the platform's changes since then.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
const out = join(folder.path, 'tenantry')
const steps = join(out, 'migrations')
let there: TestEmulator

beforeAll(async () => {
  there = await startTestEmulator()
  await there.call('POST', '/platform/v1/projects', {
    credential: there.session,
    body: { name: 'notes', slug: 'notes' },
  })
  await change(
    'create table notes (id int primary key, body text); alter table notes enable row level security',
  )
  expect(await pull()).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await there[Symbol.asyncDispose]()
  folder.remove()
})

async function change(sql: string): Promise<void> {
  const { body } = await there.call('POST', '/platform/v1/projects/proj_notes/db/exec', {
    credential: there.session,
    body: { sql },
  })
  expect(body).not.toHaveProperty('error')
}

function pull(): Promise<Ended> {
  const args = ['pull', '--url', there.url, '--project', 'notes', '--out', out]
  return runCli(args, { TENANTRY_REMOTE_SESSION_TOKEN: there.session }).ended
}

describe('tenantry pull into an application folder', () => {
  it('writes nothing and says so when nothing changed', async () => {
    const { code, stdout } = await pull()
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing changed there')
    expect(readdirSync(steps)).toHaveLength(1)
  })

  it('writes the changes into a new step, with destructive statements as comments', async () => {
    await change(
      `alter table notes add column stars int; alter table notes drop column body;
       create policy starred on notes to anon using (stars > 3)`,
    )
    const before = readFileSync(join(out, 'fixture.yaml'), 'utf8')
    const { code, stdout } = await pull()
    expect(code).toBe(0)
    const written = readdirSync(steps).toSorted()
    expect(written).toHaveLength(2)
    expect(stdout).toContain(`Wrote ${join(steps, written[1] ?? '')}.`)
    const step = readFileSync(join(steps, written[1] ?? ''), 'utf8')
    expect(step).toMatch(/^alter table notes add column stars integer;$/m)
    expect(step).toMatch(/^create policy starred on notes/m)
    expect(step).toMatch(/^-- .*drop column body/m)
    expect(readFileSync(join(out, 'fixture.yaml'), 'utf8')).toBe(before)
  })

  it('names the step that fails in an empty project, and writes nothing', async () => {
    const broken = join(steps, '20990101000000_broken.sql')
    writeFileSync(broken, 'select * from nowhere;\n')
    const { code, stderr } = await pull()
    expect(code).toBe(1)
    expect(stderr).toContain('20990101000000_broken.sql')
    expect(readdirSync(steps)).toHaveLength(3)
  })
})
