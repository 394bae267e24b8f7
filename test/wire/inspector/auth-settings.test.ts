// /_emulator/v1/projects/:ref/auth-settings: how a project's users may sign in.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { type Answer, type Json, provisionTenant } from '../../support/test-emulator.ts'

const DEFAULTS = {
  confirm_email: false,
  signup_closed: false,
  password_min_length: 6,
  redirect_urls: [],
  providers: ['google', 'github', 'apple'],
  whatsapp: 'works',
  sms: 'works',
}
const NOTHING_OWN = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]))

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(async () => {
  for (const project of [world.tenant.slug, world.group.templateSlug])
    granted(await change(NOTHING_OWN, project))
})

const path = (project = world.tenant.slug) => `/_emulator/v1/projects/${project}/auth-settings`
const read = (project?: string): Promise<Answer<Json>> => world.at.call('GET', path(project))
const change = (body: unknown, project?: string): Promise<Answer<Json>> =>
  world.at.call('PATCH', path(project), { body })

describe('auth settings', () => {
  it('are the defaults until a setting is changed', async () => {
    const { status, body } = await read()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        project_id: expect.any(String),
        schema_name: world.tenant.schemaName,
        settings: DEFAULTS,
        own: [],
      },
    })
  })

  it('can be changed one by one, and the answer lists the settings that the project overrides', async () => {
    await change({ confirm_email: true, redirect_urls: ['https://app.test/welcome'] })
    const changed = await change({ whatsapp: 'send_failed', providers: ['github'] })
    const settings = {
      ...DEFAULTS,
      confirm_email: true,
      redirect_urls: ['https://app.test/welcome'],
      whatsapp: 'send_failed',
      providers: ['github'],
    }
    expect(changed.body).toMatchObject({
      settings,
      own: ['confirm_email', 'redirect_urls', 'providers', 'whatsapp'],
    })
    expect((await read()).body).toEqual(changed.body)
  })

  it('apply to sign-ups at once', async () => {
    await change({ signup_closed: true })
    const email = world.freshEmail()
    const closed = await world.auth('POST', '/signup', { email, password: PASSWORD })
    expect(closed.body.error).toMatchObject({ code: 'signup_disabled' })
    await change({ signup_closed: false, password_min_length: 20 })
    const weak = await world.auth('POST', '/signup', { email, password: PASSWORD })
    expect(weak.body.error).toMatchObject({ code: 'weak_password' })
  })

  it('come from the template unless the tenant overrides them, also after the template was published', async () => {
    const template = world.group.templateSlug
    await change({ password_min_length: 9, sms: 'not_configured' }, template)
    await change({ sms: 'works' })
    expect((await read()).body).toMatchObject({
      settings: { password_min_length: 9, sms: 'works' },
      own: ['sms'],
    })
    await change({ sms: null })
    expect((await read()).body).toMatchObject({ settings: { sms: 'not_configured' }, own: [] })
    const publish = `/groups/v1/${world.group.id}/template/publish`
    granted(await world.at.call('POST', publish, { credential: world.group.key, body: {} }))
    const later = await provisionTenant(world.at, world.group, 'made_later')
    expect((await read(later.slug)).body.settings).toMatchObject({ password_min_length: 9 })
  })

  it('refuse unknown settings, and report all problems at once', async () => {
    const { status, body } = await change({
      confirm_email: 'yes',
      password_min_length: 0,
      redirect_urls: [
        'javascript:alert(1)',
        '/welcome',
        'https://app.test/#here',
        'https://app.test/ x',
      ],
      providers: ['myspace'],
      sms: 'send_failed',
      email: 'works',
    })
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'invalid_request' })
    for (const place of [
      'confirm_email',
      'password_min_length',
      'redirect_urls.0',
      'redirect_urls.1',
      'redirect_urls.2',
      'redirect_urls.3',
      'providers.0',
      'sms',
      'email',
    ])
      expect(body.error.message).toContain(place)
    expect((await read()).body.settings).toEqual(DEFAULTS)
  })

  it.each([['{'], ['[]'], ['"x"'], ['null']])('refuse the body %s', async (body) => {
    expect((await change(body)).status).toBe(400)
  })

  it('return 404 for an unknown project', async () => {
    expect((await read('nobody')).status).toBe(404)
    expect((await change({}, 'nobody')).status).toBe(404)
  })
})
