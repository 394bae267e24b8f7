// `tenantry init` makes an application folder that can be applied, and never overwrites one.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCliIn } from '../../support/cli-run.ts'
import { applyTo, ask } from '../../support/fixture-folder.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const root = temporaryFolder()
let at: TestEmulator
let count = 0
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  root.remove()
})

function newFolder(): string {
  count += 1
  const folder = join(root.path, `project-${count}`)
  mkdirSync(folder)
  return folder
}

function init(folder: string, ...args: string[]): Promise<Ended> {
  return runCliIn(folder, ['init', ...args]).ended
}

describe('tenantry init', () => {
  it('creates notes that only their owner sees, and prints the next command', async () => {
    const folder = newFolder()
    const { code, stdout } = await init(folder)
    expect(code).toBe(0)
    expect(stdout).toContain('tenantry dev')
    const application = join(folder, 'tenantry')
    expect(readdirSync(application).toSorted()).toEqual([
      'files',
      'fixture.yaml',
      'migrations',
      'rows',
    ])
    expect(readdirSync(join(application, 'migrations'))[0]).toMatch(/^\d{14}_notes\.sql$/)
    expect(readFileSync(join(application, 'fixture.yaml'), 'utf8').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../node_modules/tenantry/fixtures/fixture.schema.json',
    )
    expect(await applyTo(at, application)).toMatchObject({
      applied: true,
      created: { tenants: 1, users: 2, rows: 3, objects: 1 },
    })
    expect((await runCliIn(folder, ['migrate', 'lint']).ended).stdout).toContain('0 warnings')
    const ana = await at.emulator.as({ tenant: 'acme', user: 'ana@acme.test' })
    expect(await (await ana.fetch('/rest/v1/notes?select=title&order=id')).json()).toEqual([
      { title: 'Buy coffee' },
      { title: 'Call the bank' },
    ])
  })

  it('writes a built-in fixture as a folder whose SQL is migration steps', async () => {
    const folder = newFolder()
    expect((await init(folder, '--demo', 'shop')).code).toBe(0)
    const application = join(folder, 'tenantry')
    const steps = readdirSync(join(application, 'migrations')).toSorted()
    expect(steps.map((name) => name.slice(15))).toEqual(['template.sql', 'reviews.sql'])
    expect(existsSync(join(application, 'images/serra/logo.png'))).toBe(true)
    const yaml = readFileSync(join(application, 'fixture.yaml'), 'utf8')
    expect(yaml).not.toMatch(/versions:|version:|template\.sql|reviews\.sql/)
    expect(yaml).toContain('# A platform for small shops')
    expect(await applyTo(at, application)).toMatchObject({ applied: true, created: { tenants: 2 } })
    expect(await ask(at, 'serra', 'select count(*) from reviews')).toEqual([['1']])
    expect(await ask(at, 'lumiar', 'select count(*) from tenantry_migrations')).toEqual([['0']])
  })

  it.each(['clinics', 'quota-edge'])('writes a folder of the built-in fixture %s', async (demo) => {
    const folder = newFolder()
    const { stdout } = await init(folder, '--demo', demo, '--json')
    expect(JSON.parse(stdout).files).toContain('fixture.yaml')
    expect(await applyTo(at, join(folder, 'tenantry'))).toMatchObject({
      applied: true,
      problems: [],
    })
  })

  it('refuses a folder that has files, and writes nothing', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'tenantry'))
    writeFileSync(join(folder, 'tenantry/notes.txt'), 'mine')
    expect(await init(folder)).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'tenantry: tenantry already has files, and this command overwrites none. Edit it, or remove it first.\n',
    })
    expect(readdirSync(folder)).toEqual(['tenantry'])
    expect(readdirSync(join(folder, 'tenantry'))).toEqual(['notes.txt'])
  })

  it('refuses options that exclude each other', async () => {
    const folder = newFolder()
    expect(await init(folder, '--demo', 'shop', '--from', at.url)).toMatchObject({ code: 1 })
    expect((await init(folder, '--from', at.url)).stderr).toContain('--from needs --project')
    expect(readdirSync(folder)).toEqual([])
  })

  it('pulls a project with --from', async () => {
    const folder = newFolder()
    const process = runCliIn(folder, ['init', '--from', at.url, '--project', 'notes'], {
      TENANTRY_REMOTE_SESSION_TOKEN: at.session,
    })
    expect(await process.ended).toMatchObject({ code: 0 })
    const yaml = readFileSync(join(folder, 'tenantry/fixture.yaml'), 'utf8')
    expect(yaml).toContain('migrations: migrations')
    const [step = ''] = readdirSync(join(folder, 'tenantry/migrations'))
    expect(readFileSync(join(folder, 'tenantry/migrations', step), 'utf8')).toContain('notes')
  })
})
