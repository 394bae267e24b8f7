// A simulated browser for social sign-ins. The browser stores cookies by path, sends forms and stops at every redirect.
import { createHash } from 'node:crypto'
import { type AuthWorld, granted } from './auth-world.ts'
import type { Answer, Json } from './test-emulator.ts'

export interface SocialBrowser {
  /** Opens an address. Requests HTML only when `headers` contains `accept`. */
  open(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer<Json>>
  /** Sends the consent page's form with these fields. */
  decide(consentUrl: string, fields: Readonly<Record<string, string>>): Promise<Answer<Json>>
}

export const VERIFIER = 'a-verifier-of-forty-three-characters-or-more'
export const REDIRECT = 'http://localhost:3000/welcome'

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Returns the query of /authorize. `changes` replaces parameters; an empty text removes a parameter. */
export function authorizeQuery(changes: Readonly<Record<string, string>> = {}): string {
  const members = {
    redirect_to: REDIRECT,
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    return: 'json',
    ...changes,
  }
  return new URLSearchParams(Object.entries(members).filter(([, value]) => value !== '')).toString()
}

/** Begins a sign-in. Returns the address of the consent page. */
export async function begin(
  world: AuthWorld,
  provider = 'google',
  changes: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await world.auth('GET', `/authorize/${provider}?${authorizeQuery(changes)}`)
  return granted(answer).url
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export function openSocialBrowser(origin: string): SocialBrowser {
  let cookies: readonly Cookie[] = []
  async function visit(address: string, init: RequestInit): Promise<Answer<Json>> {
    const url = new URL(address, origin)
    const sent = cookies.filter(({ path }) => url.pathname.startsWith(path))
    const headers = new Headers(init.headers)
    if (sent.length > 0)
      headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const cookie = cookieOf(line)
      const others = cookies.filter(({ name }) => name !== cookie.name)
      cookies = cookie.value === '' ? others : [...others, cookie]
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: jsonOf(text) }
  }
  return {
    open: (url, headers = {}) => visit(url, { headers }),
    decide: (consentUrl, fields) => {
      const { pathname, searchParams } = new URL(consentUrl)
      const body = new URLSearchParams({ state: searchParams.get('state') ?? '', ...fields })
      return visit(pathname, { method: 'POST', body })
    },
  }
}

function cookieOf(line: string): Cookie {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split('=')
  const path = attributes.find((each) => each.startsWith('Path='))?.slice('Path='.length)
  return { name, value, path: path ?? '/' }
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Person {
  readonly name: string
  readonly email: string
  readonly emailVerified?: boolean
}

/** Runs a sign-in from /authorize to the redirect of the callback, with a new account of the provider. */
export async function comeBack(
  world: AuthWorld,
  { name, email, emailVerified = true }: Person,
  provider = 'google',
): Promise<URL> {
  const browser = openSocialBrowser(world.at.url)
  const consentUrl = await begin(world, provider)
  await browser.open(consentUrl)
  const unverified: Record<string, string> = emailVerified ? {} : { email_unverified: 'yes' }
  const decided = await browser.decide(consentUrl, { decision: 'new', name, email, ...unverified })
  const landed = await browser.open(locationOf(decided))
  return new URL(locationOf(landed))
}

/** Runs a complete sign-in. Returns the session. */
export async function signInSocially(
  world: AuthWorld,
  person: Person,
  provider = 'google',
): Promise<Json> {
  const address = await comeBack(world, person, provider)
  const code = address.searchParams.get('code')
  return granted(await world.auth('POST', '/token/exchange', { code, code_verifier: VERIFIER }))
}

/** The target of a redirect. */
export function locationOf(answer: Answer<Json>): string {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`no redirect: ${answer.status} ${answer.text}`)
  return location
}
