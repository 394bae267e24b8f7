// Ten callbacks of social sign-ins at once (docs/wire/auth.md#social).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countOf, tallyOf, tenAtOnce } from '../../support/at-once.ts'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'
import {
  begin,
  comeBack,
  locationOf,
  openSocialBrowser,
  type Person,
  type SocialBrowser,
  VERIFIER,
} from '../../support/social-browser.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const person = (): Person => ({ name: 'Nina Nova', email: world.freshEmail() })
const exchange = (code: string | null) =>
  world.auth('POST', '/token/exchange', { code, code_verifier: VERIFIER })

/** Runs a sign-in up to the callback. Returns the browser and the address of the callback. */
async function beforeCallback(
  account: Person,
): Promise<{ readonly browser: SocialBrowser; readonly callback: string }> {
  const browser = openSocialBrowser(world.at.url)
  const consentUrl = await begin(world)
  await browser.open(consentUrl)
  const { email, name } = account
  const decided = await browser.decide(consentUrl, { decision: 'new', name, email })
  return { browser, callback: locationOf(decided) }
}

describe('ten simultaneous requests', () => {
  it('open a callback, and only one request gets a code', async () => {
    const { browser, callback } = await beforeCallback(person())
    const answers = await tenAtOnce(() => browser.open(callback))
    expect(tallyOf(answers)).toEqual({ 302: 1, '400 oauth_state_invalid': 9 })
  })

  it('sign in with a new account, and create only one user', async () => {
    const account = person()
    const arrivals = []
    for (let count = 0; count < 10; count += 1) arrivals.push(await beforeCallback(account))
    const landings = await Promise.all(
      arrivals.map(({ browser, callback }) => browser.open(callback)),
    )
    const codes = landings.map((each) => new URL(locationOf(each)).searchParams.get('code'))
    const sessions = await Promise.all(codes.map(exchange))
    expect(Object.values(countOf(sessions.map(({ body }) => body.user.id)))).toEqual([10])
  })

  it('exchange a code only once', async () => {
    const code = (await comeBack(world, person())).searchParams.get('code')
    const answers = await tenAtOnce(() => exchange(code))
    expect(tallyOf(answers)).toEqual({ 200: 1, '400 invalid_code': 9 })
  })
})
