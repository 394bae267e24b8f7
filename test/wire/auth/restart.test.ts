// Sessions and revoked users keep their state after the emulator was stopped and started again (docs/wire/auth.md#signout).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { granted, PASSWORD, refusalOf } from '../../support/auth-world.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
let tenant: TestTenant
let rotated: { readonly spent: string; readonly fresh: string }
let deleted: Json

const call = (method: string, path: string, body?: unknown, credential?: string) =>
  at.call<Json>(method, path, {
    headers: { apikey: tenant.anonKey },
    ...(body === undefined ? {} : { body }),
    ...(credential === undefined ? {} : { credential }),
  })

beforeAll(async () => {
  at = await startTestEmulator({ dataDir: folder.path })
  tenant = await provisionTenant(at, await createGroup(at, 'vendor'), 'shop')
  const signUp = async (email: string): Promise<Json> =>
    granted(await call('POST', '/auth/v1/signup', { email, password: PASSWORD }))
  deleted = await signUp('gone@example.com')
  await call('DELETE', '/auth/v1/user', undefined, deleted.access_token)
  const { refresh_token: spent } = await signUp('stays@example.com')
  const { body: clock } = await at.call<Json>('GET', '/_emulator/v1/clock')
  const next = granted(await call('POST', '/auth/v1/token/refresh', { refresh_token: spent }))
  rotated = { spent, fresh: next.refresh_token }
  await at[Symbol.asyncDispose]()
  at = await startTestEmulator({ dataDir: folder.path })
  granted(await at.call('POST', '/_emulator/v1/clock', { body: { set: clock.now } }))
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

it('a restarted emulator refuses the data_plane_token of a user deleted before the restart', async () => {
  const answer = await call('GET', '/', undefined, deleted.data_plane_token)
  expect([answer.status, answer.body.message]).toEqual([401, expect.stringContaining('deleted')])
})

it('a restarted emulator returns the same refresh token again within the grace time', async () => {
  const again = await call('POST', '/auth/v1/token/refresh', { refresh_token: rotated.spent })
  expect(granted(again).refresh_token).toBe(rotated.fresh)
})

it('a restarted emulator ends the session when a refresh token is reused after the grace time', async () => {
  await at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 60_000 } })
  const reused = await call('POST', '/auth/v1/token/refresh', { refresh_token: rotated.spent })
  const next = await call('POST', '/auth/v1/token/refresh', { refresh_token: rotated.fresh })
  expect([refusalOf(reused), refusalOf(next)]).toEqual(['401 unauthorized', '401 unauthorized'])
})
