// `tenantry conformance` checks a running emulator as it checks the hosted platform.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionSettings } from '../../../emulator/index.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { patiently } from '../../support/patience.ts'
import {
  createGroup,
  type Json,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'
import { untilAsync } from '../../support/until.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
  await at.emulator.applyFixture('clinics')
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const conformance = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(['conformance', '--target', at.url, ...args], env).ended

/** Reads all data of the platform that a run could change, except for journal and times. */
async function stateOf(): Promise<Json> {
  const { body } = await at.call('GET', '/_emulator/v1/overview')
  const fixture = await at.call('GET', '/_emulator/v1/projects/aurora/tables')
  const users = await at.call('GET', '/_emulator/v1/projects/aurora/users')
  const groups = body.groups.map(({ id, tenants, removed_tenants }: Json) => ({
    id,
    tenants: tenants.map(({ slug, users: count, storage_bytes }: Json) => [
      slug,
      count,
      storage_bytes,
    ]),
    removed: removed_tenants.length,
  }))
  return { groups, tables: fixture.body, users: users.body }
}

describe('tenantry conformance', () => {
  it(
    'passes every rule of an emulator in a throw-away group, and removes the group',
    async () => {
      const before = await stateOf()
      const { code, stdout } = await conformance(['--write', '--json'])
      const { failed, left, notCheckable, rules, skipped } = JSON.parse(stdout)
      const failures = rules.flatMap(({ checks }: Json) =>
        checks.flatMap(({ failures: all }: Json) => all),
      )
      expect({ code, failed, failures, left, skipped }).toEqual({
        code: 0,
        failed: 0,
        failures: [],
        left: [],
        skipped: 0,
      })
      expect(rules.length - notCheckable).toBeGreaterThan(95)
      expect(await stateOf()).toEqual(before)
    },
    patiently(300_000),
  )

  it('changes nothing without --write, and names the skipped rules', async () => {
    const before = await stateOf()
    const { code, stdout } = await conformance([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/ {2}passed {3}#gate +\d of \d checks, \d skipped \(needs --write\)/)
    expect(stdout).toMatch(/ {2}skipped {2}#upload +needs --write/)
    expect(stdout).toMatch(/ rules, \d+ passed, 0 failed, \d+ skipped, 3 not checkable\.\n$/)
    expect(await stateOf()).toEqual(before)
  })

  it('takes credentials from the environment', async () => {
    const { TENANTRY_AUTH_URL: _, ...env } = connectionSettings(
      await at.emulator.ready(at.url),
      'boavista',
    )
    const only = ['--only', 'credentials.md#project-keys,data-plane.md#auth-tables']
    const { code, stdout } = await conformance(only, env)
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 rules, 2 passed'),
    })
  })

  it('ends with exit code 1 when a rule fails, and writes expected and received values, also as JUnit', async () => {
    const fault = { effect: { kind: 'error', code: 'user_banned' } }
    const armed = await at.call('POST', '/_emulator/v1/faults', { body: fault })
    const junit = join(folder.path, 'junit.xml')
    const { code, stdout } = await conformance(['--only', 'auth.md#signin', '--junit', junit])
    await at.call('DELETE', `/_emulator/v1/faults/${armed.body.id}`)
    expect(code).toBe(1)
    expect(stdout).toContain(
      [
        '  FAILED   #signin  0 of 1 check, 3 skipped (needs --write)',
        '      an unknown address is 401 invalid_credentials',
        '        POST /auth/v1/signin',
        '          status',
        '            expected  401',
        '            got       403 ',
      ].join('\n'),
    )
    expect(readFileSync(junit, 'utf8')).toContain('<failure message="status">POST /auth/v1/signin')
  })

  it('prints no credential, even when answers differ', async () => {
    const env = {
      TENANTRY_ANON_KEY: 'eyJhbGciOiJFUzI1NiJ9.eyJwcm9qZWN0X3NjaGVtYSI6InByb2pfeCJ9.c2lnbmF0dXJl',
    }
    const { stdout } = await conformance(['--only', 'credentials.md,data-plane.md'], env)
    expect(stdout).not.toMatch(/eyJ[\w-]{8,}\.|v4\.public\.|sdb_[a-z]+_[\w-]{16,}/)
  })

  it('works in a given group, and purges the tenants that it created', async () => {
    const group = await createGroup(at, 'trial')
    const only = ['--only', 'platform.md,data-plane.md#gate,auth.md#signup,storage.md#keys']
    const env = { TENANTRY_REMOTE_GROUP_API_KEY: group.key }
    const args = ['--in-group', '--group', group.id, ...only, '--json']
    const { code, stdout } = await conformance(args, env)
    const { failed, left, passed, rules } = JSON.parse(stdout)
    expect({ code, failed, left }).toEqual({ code: 0, failed: 0, left: [] })
    expect(passed).toBeGreaterThan(20)
    const reasons = rules.flatMap(({ checks }: Json) =>
      checks.flatMap(({ reason = [] }: Json) => reason),
    )
    expect(reasons).toContain('needs --write with a group of the run’s own')
    const listed = await at.call('GET', `/groups/v1/${group.id}/tenants`, { credential: group.key })
    expect(listed.body.total).toBe(0)
  })

  it('removes the throw-away group when the run is stopped', async () => {
    const run = runCli(['conformance', '--target', at.url, '--write'])
    const groups = async (): Promise<readonly string[]> => {
      const { body } = await at.call('GET', '/platform/v1/groups', { credential: at.session })
      return body.map(({ name }: Json) => name)
    }
    const before = await groups()
    await untilAsync(async () => (await groups()).length > before.length)
    run.child.kill('SIGINT')
    const { code, stderr } = await run.ended
    expect({ code, stderr, groups: await groups() }).toEqual({
      code: 1,
      stderr:
        'tenantry: Stopping after the current request.\ntenantry: The run was stopped. Everything that it created was removed.\n',
      groups: before,
    })
  })

  it.each([
    [['--only', 'auth.md#nothing'], 'auth.md#nothing is neither a page nor a rule of docs/wire.'],
    [['--target', 'nonsense'], '--target nonsense is not a valid address.'],
    [['--target', 'http://127.0.0.1:1'], 'No platform answers at http://127.0.0.1:1'],
  ])('ends with exit code 1 and an error message for %j', async (args, sentence) => {
    const { code, stderr } = await conformance(args)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })
})
