// Sign-up with e-mail confirmation on, and the click on its link (docs/wire/auth.md#magic-link).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthWorld,
  granted,
  PASSWORD,
  refusalOf,
  startAuthWorld,
} from '../../support/auth-world.ts'
import { click, nextMessage } from '../../support/mailbox.ts'

const DAY = 86_400
const APP = 'https://app.example.com/confirmed'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
  await world.settings({ confirm_email: true, redirect_urls: [APP] })
})
afterAll(() => world[Symbol.asyncDispose]())

const signIn = (email: string) => world.auth('POST', '/signin', { email, password: PASSWORD })

/** Signs up with a new address, and reads the link from the mailbox. */
async function pending(): Promise<{ email: string; link: string }> {
  const email = world.freshEmail()
  granted(await world.auth('POST', '/signup', { email, password: PASSWORD }))
  const { link, purpose } = await nextMessage(world, email)
  expect(purpose).toBe('confirmation')
  return { email, link }
}

describe('a confirmation link', () => {
  it('is required between sign-up and first sign-in', async () => {
    const { email, link } = await pending()
    expect(refusalOf(await signIn(email))).toBe('403 email_not_confirmed')
    await click(link)
    expect((await signIn(email)).body.user.email_confirmed_at).toEqual(expect.any(String))
  })

  it('returns to the application with a session', async () => {
    const { email, link } = await pending()
    const { status, address, fragment } = await click(link)
    expect([status, address]).toEqual([302, APP])
    expect(Object.keys(fragment)).toEqual([
      'access_token',
      'refresh_token',
      'expires_in',
      'token_type',
    ])
    const me = await world.auth('GET', '/user', undefined, fragment['access_token'])
    expect(me.body.user.email).toBe(email)
  })

  it('works only once', async () => {
    const { link } = await pending()
    await click(link)
    expect(await click(link)).toMatchObject({
      status: 302,
      address: APP,
      query: { error: 'invalid_otp', error_description: 'The link was used before.' },
      fragment: {},
    })
  })

  it('is valid for a day', async () => {
    const { email, link } = await pending()
    await world.advance(DAY + 1)
    expect((await click(link)).query).toMatchObject({
      error: 'invalid_otp',
      error_description: 'The link has expired.',
    })
    expect(refusalOf(await signIn(email))).toBe('403 email_not_confirmed')
  })

  it('is refused as a magic link', async () => {
    const { email, link } = await pending()
    expect((await click(link.replace('confirmation', 'magic_link'))).status).toBe(400)
    expect(refusalOf(await signIn(email))).toBe('403 email_not_confirmed')
  })

  it('is refused when the user was deleted', async () => {
    const { email, link } = await pending()
    const { body } = await world.at.call('GET', '/_emulator/v1/projects/shop/users')
    const { id } = body.users.find((user: { email: string }) => user.email === email)
    granted(await world.at.call('DELETE', `/_emulator/v1/projects/shop/users/${id}`))
    expect((await click(link)).status).toBe(400)
  })

  it('returns to the allowed address that the sign-up named', async () => {
    const email = world.freshEmail()
    const redirect_to = 'http://localhost:8080/welcome'
    granted(await world.auth('POST', '/signup', { email, password: PASSWORD, redirect_to }))
    expect((await click((await nextMessage(world, email)).link)).address).toBe(redirect_to)
  })

  it('cannot return to an address that is not allowed', async () => {
    const body = {
      email: world.freshEmail(),
      password: PASSWORD,
      redirect_to: 'https://example.com',
    }
    expect(refusalOf(await world.auth('POST', '/signup', body))).toBe('400 invalid_redirect')
  })
})
