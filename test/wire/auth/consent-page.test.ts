// The consent page that browsers receive: markup, headers and forms (docs/wire/auth.md#social).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, refusalOf, startAuthWorld } from '../../support/auth-world.ts'
import {
  begin,
  openSocialBrowser,
  type SocialBrowser,
  signInSocially,
} from '../../support/social-browser.ts'

let world: AuthWorld
let browser: SocialBrowser
beforeAll(async () => {
  world = await startAuthWorld()
  browser = openSocialBrowser(world.at.url)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('GET /auth/v1/consent/:provider', () => {
  it('is a page without scripts that no other page may frame', async () => {
    const { status, headers, text } = await browser.open(await begin(world))
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script|\son\w+=|(?:src|href)="(?!data:)/i)
  })

  it('sets a cookie that scripts cannot read and other sites do not receive', async () => {
    const { headers } = await browser.open(await begin(world))
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^consent_[\w-]{12}=[\w-]{43}; Max-Age=86400; Path=\/auth\/v1\/callback; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  it('has a button for every account and every outcome', async () => {
    const { text } = await browser.open(await begin(world, 'github'))
    for (const button of [
      'aria-label="Continue as Ada Example"',
      'aria-label="Continue as Dmitri Primer"',
      '>New account</button>',
      '>Deny</button>',
      '>Provider error</button>',
    ])
      expect(text).toContain(button)
  })

  it('escapes names, addresses and the return address', async () => {
    const name = `<script>alert(1)</script>"'&`
    const email = `"><img/src=x/onerror=alert(1)>@example.com`
    await signInSocially(world, { name, email })
    const url = await begin(world, 'google', { redirect_to: 'http://localhost:3000/?a=%22&b="<b>' })
    const { text } = await browser.open(url)
    expect(text).not.toMatch(/<script|<img\/|<b>/)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(text).toContain('&quot;&gt;&lt;img/src=x/onerror=alert(1)&gt;@example.com')
  })

  it('refuses an unknown state, and does not show the state in the page', async () => {
    const url = '/auth/v1/consent/google?state=shop.%3Cscript%3Ealert(1)%3C/script%3E'
    const answer = await browser.open(url, { accept: 'text/html,*/*' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'text/html; charset=utf-8',
    ])
    expect(answer.text).toContain('oauth_state_invalid')
    expect(answer.text).not.toContain('alert')
  })

  it('answers in JSON when the caller does not accept HTML', async () => {
    const answer = await browser.open('/auth/v1/consent/google?state=shop.x')
    expect(refusalOf(answer)).toBe('400 oauth_state_invalid')
  })

  it('escapes the name of an unknown provider', async () => {
    const state = new URL(await begin(world)).searchParams.get('state')
    const url = `/auth/v1/consent/%3Cb%3E?state=${state}`
    const answer = await browser.open(url, { accept: 'text/html' })
    expect(answer.text).toContain('&quot;&lt;b&gt;&quot; is not enabled')
  })

  it('refuses a sign-in that has taken too long', async () => {
    const url = await begin(world)
    await world.advance(601)
    expect(refusalOf(await browser.open(url))).toBe('400 oauth_state_invalid')
  })

  it('refuses a provider that is no longer enabled', async () => {
    const url = await begin(world, 'apple')
    await world.settings({ providers: ['google'] })
    const answer = await browser.open(url)
    await world.settings({ providers: null })
    expect(refusalOf(answer)).toBe('400 oauth_not_enabled')
  })
})

describe('POST /auth/v1/consent/:provider', () => {
  it('redirects to the callback on the same host', async () => {
    const url = await begin(world)
    const answer = await browser.decide(url, { decision: 'deny' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/auth\/v1\/callback\/google\?error=access_denied&state=shop\./),
    ])
  })

  it.each([
    ['no name', { name: ' ', email: 'a@example.com' }, 'Enter a name.'],
    [
      'a long name',
      { name: 'x'.repeat(256), email: 'a@example.com' },
      'Enter at most 255 characters.',
    ],
    ['no address', { name: 'A' }, 'This is not an e-mail address'],
    ['a bad address', { name: 'A', email: '"><b>@' }, 'This is not an e-mail address'],
  ])('shows the form again with the problem for %s', async (_, fields, problem) => {
    const answer = await browser.decide(await begin(world), { decision: 'new', ...fields })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(problem)
    expect(answer.text).not.toContain('<b>')
  })

  it.each([
    ['nothing', {}],
    ['an unknown account', { account: '1' }],
    ['an unknown decision', { decision: 'maybe' }],
    ['a NUL character', { decision: 'new', name: '\0', email: 'a@example.com' }],
  ])('refuses %s', async (_, fields) => {
    const answer = await browser.decide(await begin(world), fields)
    expect(refusalOf(answer)).toBe('400 invalid_request')
  })

  it('refuses a form of more than a megabyte', async () => {
    const answer = await browser.decide(await begin(world), { name: 'x'.repeat(1_100_000) })
    expect(refusalOf(answer)).toBe('413 payload_too_large')
  })
})
