// `tenantry fault` against a running emulator.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import type { TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterEach(() => at.call('DELETE', '/_emulator/v1/faults'))
afterAll(() => at[Symbol.asyncDispose]())

const fault = (...args: string[]) => runCli(['fault', ...args, '--url', at.url]).ended

it('tenantry fault arms, lists and disarms a fault', async () => {
  const armed = await fault(
    'arm',
    'error',
    '--code',
    'invalid_credentials',
    '--count',
    '2',
    '--json',
  )
  expect(armed).toMatchObject({ code: 0, stderr: '' })
  const { id } = JSON.parse(armed.stdout)
  expect((await at.call('POST', '/auth/v1/signin')).body.error.code).toBe('invalid_credentials')
  const listed = await fault('list')
  expect(listed.stdout).toBe(`${id}  error invalid_credentials  on everything  fired 1 of 2\n`)
  expect(await fault('disarm', id)).toMatchObject({ code: 0, stdout: `Disarmed ${id}.\n` })
  expect(await fault('list')).toMatchObject({ code: 0, stdout: 'No fault is armed.\n' })
})

it('tenantry fault disarm disarms all faults', async () => {
  await at.call('POST', '/_emulator/v1/faults', { body: { effect: { kind: 'answer_lost' } } })
  expect((await fault('disarm', '--json')).stdout).toBe('{"disarmed":1}\n')
})

it('tenantry fault arm reports why a fault is refused, and exits with 1', async () => {
  const { code, stderr } = await fault('arm', 'error', '--code', 'slug_takn')
  expect(stderr).toMatch(/^tenantry: The platform’s catalogue has no error slug_takn/)
  expect(code).toBe(1)
})

it('tenantry fault catalogue prints the catalogue of a service', async () => {
  const { stdout } = await fault('catalogue', '--service', 'control')
  expect(stdout).toMatch(
    /^tenant\.provision {2}Provisions a tenant {2}\(POST \/groups\/v1\/:group\/tenants\)$/m,
  )
  expect(stdout).toMatch(/^ {2}409 {2}control {2}slug_taken/m)
  expect(stdout).not.toContain('rows.read')
})
