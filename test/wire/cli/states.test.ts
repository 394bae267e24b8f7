// `tenantry clock`, `snapshot` and `reset` against a running emulator.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import type { TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

const tenantry = (...args: string[]) => runCli([...args, '--url', at.url]).ended
const offset = async () => (await at.call('GET', '/_emulator/v1/clock')).body.offset_ms

it('moves the clock by a duration, and back to the machine’s time', async () => {
  expect(await tenantry('clock', 'advance', '30d')).toMatchObject({ code: 0, stderr: '' })
  expect(await offset()).toBe(30 * 86_400_000)
  expect((await tenantry('clock', 'reset')).code).toBe(0)
  expect(await offset()).toBe(0)
})

it('saves, lists, restores and deletes a snapshot', async () => {
  expect(await tenantry('snapshot', 'save', 'one')).toMatchObject({ code: 0, stderr: '' })
  expect((await tenantry('snapshot', 'list')).stdout).toContain('one')
  expect((await tenantry('snapshot', 'restore', 'one')).code).toBe(0)
  expect((await tenantry('snapshot', 'delete', 'one')).code).toBe(0)
  expect((await at.call('GET', '/_emulator/v1/snapshots')).body.snapshots).toEqual([])
})

it('reports an unknown snapshot and exits with 1', async () => {
  const { code, stderr } = await tenantry('snapshot', 'restore', 'nobody')
  expect(stderr).toMatch(/^tenantry: .*nobody/)
  expect(code).toBe(1)
})

it('resets the emulator, which removes projects created since the start', async () => {
  const projects = async () => (await at.call('GET', '/_emulator/v1/overview')).body.projects.length
  const before = await projects()
  const { platform } = (await at.call('GET', '/_emulator/v1/info')).body
  const made = await fetch(`${at.url}/platform/v1/projects`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${platform.session_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Passing', slug: 'passing', plan: 'pro' }),
  })
  expect(made.status).toBe(201)
  expect(await projects()).toBe(before + 1)
  expect((await tenantry('reset')).code).toBe(0)
  expect(await projects()).toBe(before)
})
