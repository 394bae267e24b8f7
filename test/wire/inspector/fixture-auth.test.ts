// Users and sign-in settings of a tenant in a fixture.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const FIXTURE = `
groups:
  - name: Shops
    template:
      slug: shops
      auth: { redirect_urls: [https://shops.test/welcome], password_min_length: 10 }
    tenants:
      - slug: corner
        auth: { password_min_length: 12, sms: not_configured }
        users:
          - { email: ana@x.test, phone: '+5511987654321', password: secret1, data: { name: Ana } }
          - { email: bia@x.test, password: secret2 }
`
const folder = temporaryFolder()
writeFileSync(join(folder.path, 'fixture.yaml'), FIXTURE)

let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
  await at.emulator.applyFixture(folder.path)
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const read = async (path: string): Promise<Json> =>
  (await at.call('GET', `/_emulator/v1/projects/${path}`)).body
const setAuth = (body: object) =>
  at.call('PATCH', '/_emulator/v1/projects/corner/auth-settings', { body })

describe('a fixture', () => {
  it('sets the auth settings of the template and of a tenant', async () => {
    expect(await read('shops/auth-settings')).toMatchObject({
      settings: { redirect_urls: ['https://shops.test/welcome'], password_min_length: 10 },
      own: ['password_min_length', 'redirect_urls'],
    })
    expect(await read('corner/auth-settings')).toMatchObject({
      settings: {
        redirect_urls: ['https://shops.test/welcome'],
        password_min_length: 12,
        sms: 'not_configured',
      },
      own: ['password_min_length', 'sms'],
    })
  })

  it('creates confirmed users with telephone number, metadata and password', async () => {
    const { total, users } = await read('corner/users')
    expect(total).toBe(2)
    expect(users.find(({ email }: Json) => email === 'ana@x.test')).toMatchObject({
      phone: '+5511987654321',
      phone_confirmed_at: expect.any(String),
      email_confirmed_at: expect.any(String),
      user_metadata: { name: 'Ana' },
      app_metadata: { provider: 'email', providers: ['email', 'phone'] },
    })
    const { groups } = await at.emulator.ready(at.url)
    const signIn = await at.call('POST', '/auth/v1/signin', {
      headers: { apikey: groups[0]?.tenants[0]?.anon_key ?? '' },
      body: { email: 'ana@x.test', password: 'secret1' },
    })
    expect(signIn.status).toBe(200)
  })

  it('keeps later edits when it is applied again', async () => {
    await setAuth({ sms: 'works' })
    await at.emulator.applyFixture(folder.path)
    expect(await read('corner/auth-settings')).toMatchObject({ settings: { sms: 'works' } })
    expect(await read('corner/users')).toMatchObject({ total: 2 })
  })
})
