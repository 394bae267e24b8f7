// `tenantry migrate new --from-changes`: a step from what was changed by hand in the template.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, runCli, temporaryFolder } from '../../support/cli-process.ts'
import { ask } from '../../support/fixture-folder.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

const folder = temporaryFolder()
const NOTES = '20260101000000_notes.sql'
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

interface World {
  /** Runs `tenantry migrate new later --from-changes` with more options. */
  readonly create: (...more: readonly string[]) => Promise<Ended>
  readonly migrate: (...args: readonly string[]) => Promise<Ended>
  readonly files: () => readonly string[]
  readonly read: (file: string) => string
}

/** A group whose template and tenant have the table notes by a step. */
async function world(name: string): Promise<World> {
  const dir = mkdtempSync(join(folder.path, 'steps-'))
  writeFileSync(join(dir, NOTES), 'create table notes (id int primary key, body text);\n')
  await provisionTenant(at, await createGroup(at, name), `${name}_a`)
  const where = ['--dir', dir, '--group', name, '--url', at.url]
  const migrate = (...args: readonly string[]) =>
    runCli(['migrate', ...args, ...where], undefined).ended
  await migrate('apply', '--tenants', 'all', '--data-dir', dir)
  return {
    migrate,
    create: (...more) => migrate('new', 'later', '--from-changes', ...more),
    files: () => readdirSync(dir).filter((file) => file.endsWith('.sql')),
    read: (file) => readFileSync(join(dir, file), 'utf8'),
  }
}

describe('tenantry migrate new --from-changes', () => {
  it('writes the step, records it in the template, and applies to a tenant', async () => {
    const { create, files, migrate, read } = await world('made')
    await ask(at, 'made', 'alter table notes add column stars int')
    const { code, stdout } = await create()
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/recorded it in the template.*\nThe step has 1 statement\.\n$/),
    })
    const [, file = ''] = files()
    expect(read(file)).toBe('-- later\n\nalter table notes add column stars integer;\n')
    const data = mkdtempSync(join(folder.path, 'data-'))
    const applied = await migrate('apply', '--tenants', 'all', '--data-dir', data)
    expect(applied).toMatchObject({ code: 0 })
    expect(applied.stdout).toMatch(/^template made: up to date\ntenant made_a: applied \d{14}\n$/)
    expect(await create()).toMatchObject({
      code: 0,
      stdout: 'The template has no changes since its last step. No step was created.\n',
    })
  })

  it('lists candidates for renames and writes nothing when stdin is no terminal', async () => {
    const { create, files, read } = await world('renamed')
    await ask(at, 'renamed', 'alter table notes rename column body to content')
    const asked = await create()
    expect(asked.code).toBe(1)
    expect(asked.stdout).toContain('\n  --rename notes.body=content\n')
    expect(files()).toEqual([NOTES])
    expect(await create('--rename', 'notes.body=content')).toMatchObject({ code: 0 })
    expect(read(files()[1] ?? '')).toContain('rename column body to content;')
  })

  it('leaves out what destroys data until it is allowed', async () => {
    const { create, files, read } = await world('lossy')
    await ask(at, 'lossy', 'alter table notes drop column body')
    const held = await create()
    expect(held.code).toBe(1)
    expect(held.stdout).toContain('1 statement left out')
    expect(files()).toEqual([NOTES])
    expect(await create('--allow-destructive')).toMatchObject({ code: 0 })
    expect(read(files()[1] ?? '')).toMatch(
      /-- Destroys data: .*\nalter table notes drop column body;/,
    )
  })

  it('refuses a rename that it cannot read, with exit code 1', async () => {
    const { create } = await world('wrong')
    const { code, stderr } = await create('--rename', 'notes')
    expect(code).not.toBe(0)
    expect(stderr).toContain('--rename table=new')
  })
})
