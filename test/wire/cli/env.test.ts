// `tenantry env` against a running emulator.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli, temporaryFolder } from '../../support/cli-process.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
  const group = await createGroup(at, 'vendor', { sql: 'create table items (id integer)' })
  await provisionTenant(at, group, 'first')
  await provisionTenant(at, group, 'second')
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

  it('gives the keys of the tenant that is named', async () => {
    const { stdout } = await env('--tenant', 'second', '--format', 'json')
    expect(JSON.parse(stdout)).toMatchObject({
      TENANTRY_PROJECT: 'second',
      TENANTRY_SCHEMA: 'proj_second',
    })
  })

  it('lists the tenants when the named one does not exist', async () => {
    const { code, stderr, stdout } = await env('--tenant', 'third')
    expect(stderr).toBe('tenantry: There is no tenant "third". There are: first, second.\n')
    expect([code, stdout]).toEqual([1, ''])
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

  it('gives the variables to later steps of GitHub Actions and hides secrets in its log', async () => {
    const file = join(folder.path, 'github.env')
    const { stdout } = await runCli(['env', '--url', at.url, '--format', 'github'], undefined, {
      GITHUB_ENV: file,
    }).ended
    const given = readFileSync(file, 'utf8')
    const key = /^TENANTRY_ANON_KEY=(.+)$/m.exec(given)?.[1]
    expect(stdout.split('\n')).toContain(`::add-mask::${key}`)
    expect(stdout).not.toContain('add-mask::http')
  })
})
