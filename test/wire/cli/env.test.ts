// `tenantry env` against a running emulator.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimsOf, granted } from '../../support/auth-world.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { createGroup, provisionTenant, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const group = await createGroup(at, 'vendor', { sql: 'create table items (id integer)' })
  await provisionTenant(at, group, 'first')
  await provisionTenant(at, group, 'second')
  const { groups } = await at.emulator.ready(at.url)
  const second = groups[0]?.tenants.find(({ slug }) => slug === 'second')
  for (const name of ['photos', 'big-files'])
    granted(
      await at.call('POST', `/platform/v1/projects/${second?.project_id}/buckets`, {
        credential: second?.management_key ?? '',
        body: { name },
      }),
    )
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const env = (...args: string[]) => runCli(['env', '--url', at.url, ...args]).ended

describe('tenantry env', () => {
  it('prints the variables of the first tenant as a .env file', async () => {
    const { code, stdout } = await env()
    expect(stdout).toMatch(/^TENANTRY_PROJECT=first$/m)
    expect(stdout).toMatch(/^TENANTRY_ANON_KEY=ey\S+$/m)
    expect(code).toBe(0)
  })

  it('prints the keys of the tenant that --tenant names', async () => {
    const { stdout } = await env('--tenant', 'second', '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      TENANTRY_PROJECT: 'second',
      TENANTRY_SCHEMA: 'proj_second',
    })
  })

  it('refuses a project that does not exist', async () => {
    const { code, stderr, stdout } = await env('--tenant', 'third')
    expect(stderr).toBe(
      'tenantry: There is no project third. Name it by schema name, slug or id.\n',
    )
    expect([code, stdout]).toEqual([1, ''])
  })

  it('prints the settings of the template, without a group id', async () => {
    const { stdout } = await env('--tenant', 'vendor', '--format', 'json')
    const settings = JSON.parse(stdout)
    expect(settings).toMatchObject({
      TENANTRY_PROJECT: 'vendor',
      TENANTRY_SCHEMA: 'proj_vendor',
      TENANTRY_SERVICE_ROLE_KEY: expect.stringMatching(/^ey/),
    })
    expect(settings).not.toHaveProperty('TENANTRY_GROUP_ID')
  })

  it('prints the same text in each call', async () => {
    const [first, second] = [await env('--all-tenants'), await env('--all-tenants')]
    expect(second.stdout).toBe(first.stdout)
  })

  it('prints only values that a frontend may know with --prefix', async () => {
    const { stdout } = await env('--prefix', 'VITE_', '--tenant', 'second', '--format', 'json')
    const settings = JSON.parse(stdout)
    expect(settings).toEqual({
      VITE_TENANTRY_AUTH_URL: at.url,
      VITE_TENANTRY_DATA_URL: at.url,
      VITE_TENANTRY_STORAGE_URL: `${at.url}/storage/v1`,
      VITE_TENANTRY_REALTIME_URL: expect.stringMatching(/^ws:/),
      VITE_TENANTRY_PROJECT: 'second',
      VITE_TENANTRY_SCHEMA: 'proj_second',
      VITE_TENANTRY_ANON_KEY: expect.stringMatching(/^ey/),
      VITE_TENANTRY_BUCKETS: '{"big-files":"proj_second_big-files","photos":"proj_second_photos"}',
    })
    expect(claimsOf(settings.VITE_TENANTRY_ANON_KEY)['role']).toBe('anon')
  })

  it('prints all tenants as one variable with --all-tenants', async () => {
    const { stdout } = await env('--prefix', 'NEXT_PUBLIC_', '--all-tenants', '--format', 'shell')
    const shown = execFileSync('/bin/sh', [
      '-c',
      `${stdout}printf %s "$NEXT_PUBLIC_TENANTRY_TENANTS"`,
    ])
    const tenants = JSON.parse(shown.toString())
    expect(Object.keys(tenants)).toEqual(['first', 'second'])
    expect(tenants.second).toEqual({
      schema: 'proj_second',
      anon_key: expect.stringMatching(/^ey/),
      buckets: { 'big-files': 'proj_second_big-files', photos: 'proj_second_photos' },
    })
    expect(stdout).not.toMatch(/SERVICE_ROLE|service_role|GROUP|DEV_|POSTGRES/)
  })

  it('prints the tenants’ secrets with --all-tenants when no --prefix is given', async () => {
    const { stdout } = await env('--all-tenants', '--format', 'json')
    const settings = JSON.parse(stdout)
    expect(JSON.parse(settings.TENANTRY_TENANTS).first).toMatchObject({
      schema: 'proj_first',
      service_role_key: expect.stringMatching(/^ey/),
      group_api_key: expect.stringMatching(/^sdb_gk_/),
    })
    expect(settings).not.toHaveProperty('TENANTRY_PROJECT')
  })

  it('refuses --all-tenants with --tenant, and a prefix that is not valid in a name', async () => {
    expect((await env('--all-tenants', '--tenant', 'first')).stderr).toContain(
      "option '--all-tenants' cannot be used with option '--tenant <slug>'",
    )
    expect((await env('--prefix', '2X-')).stderr).toContain('letters, digits and underscores')
  })

  it('prints lines that a shell evaluates', async () => {
    const { stdout } = await env('--format', 'shell')
    const shown = execFileSync('/bin/sh', ['-c', `${stdout}printf %s "$TENANTRY_DATA_URL"`])
    expect(shown.toString()).toMatch(/^http:\/\//)
  })

  it('writes a file that only its owner can read', async () => {
    const file = join(folder.path, 'first.env')
    await env('--out', file)
    expect(readFileSync(file, 'utf8')).toMatch(/^TENANTRY_SERVICE_ROLE_KEY=ey/m)
    expect(execFileSync('ls', ['-l', file]).toString()).toMatch(/^-rw-------/)
  })

  it('replaces only its own block of a file', async () => {
    const file = join(folder.path, '.env.local')
    writeFileSync(file, '# mine\nAPI_LIMIT=5\n')
    await env('--prefix', 'VITE_', '--tenant', 'first', '--out', file)
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^# mine\nAPI_LIMIT=5\n\n# >>> tenantry env --prefix VITE_/)
    writeFileSync(file, `${text}AFTER=1`)
    await env('--prefix', 'VITE_', '--tenant', 'second', '--out', file)
    await env('--out', file)
    const [mine, block, ...rest] = readFileSync(file, 'utf8').split(/^(?=# >>>|AFTER)/m)
    expect(mine).toBe('# mine\nAPI_LIMIT=5\n\n')
    expect(block).toMatch(
      /VITE_TENANTRY_PROJECT=second\n[\s\S]*# <<< tenantry env --prefix VITE_\n$/,
    )
    expect(rest).toEqual([
      'AFTER=1\n\n',
      expect.stringMatching(/^# >>> tenantry env\b[\s\S]*TENANTRY_PROJECT=first\n/),
    ])
  })

  it('does not write a file whose block did not change', async () => {
    const file = join(folder.path, 'same.env')
    await env('--out', file)
    const { mtimeNs } = statSync(file, { bigint: true })
    await env('--out', file)
    expect(statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs)
  })

  it('refuses a file whose block has no end', async () => {
    const file = join(folder.path, 'broken.env')
    writeFileSync(file, '# >>> tenantry env\nTENANTRY_PROJECT=first\nMINE=1\n')
    const { code, stderr } = await env('--out', file)
    expect(stderr).toContain('has no line "# <<< tenantry env"')
    expect(code).toBe(1)
    expect(readFileSync(file, 'utf8')).toContain('MINE=1')
  })

  it('passes the variables to later steps of GitHub Actions, and masks secrets in the log', async () => {
    const file = join(folder.path, 'github.env')
    const { stdout } = await runCli(['env', '--url', at.url, '--format', 'github'], {
      GITHUB_ENV: file,
    }).ended
    const given = readFileSync(file, 'utf8')
    const key = /^TENANTRY_ANON_KEY=(.+)$/m.exec(given)?.[1]
    expect(stdout.split('\n')).toContain(`::add-mask::${key}`)
    const all = await runCli(['env', '--url', at.url, '--format', 'github', '--all-tenants']).ended
    expect(all.stdout.split('\n')).toContain(`::add-mask::${key}`)
    expect(stdout).not.toContain('add-mask::http')
  })
})
