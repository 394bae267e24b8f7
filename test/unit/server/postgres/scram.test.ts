// The exchange of RFC 7677 §3, where the server's salt and nonce are fixed.
import { describe, expect, it } from 'vitest'
import { scramChallenge } from '../../../../emulator/server/postgres/login.ts'

const SECRETS = {
  password: 'pencil',
  salt: Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'),
  nonce: '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
}
const FIRST = 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO'
const FINAL =
  'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ='

describe('scramChallenge', () => {
  it('has the values of the RFC’s example', async () => {
    const challenge = scramChallenge(FIRST, SECRETS)
    expect(challenge?.message).toBe(
      'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
    )
    expect(await challenge?.verify(FINAL)).toBe('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')
  })

  it.each([
    ['another password', { ...SECRETS, password: 'pen' }, FINAL],
    ['another nonce', SECRETS, FINAL.replace('r=rOpr', 'r=xOpr')],
    ['a channel binding', SECRETS, FINAL.replace('c=biws', 'c=eSws')],
    ['no proof', SECRETS, FINAL.replace(/,p=.*/, '')],
  ])('refuses %s', async (_what, secrets, final) => {
    expect(await scramChallenge(FIRST, secrets)?.verify(final)).toBeUndefined()
  })

  it.each(['', 'p=tls-exporter,,n=,r=abc', 'n,,n=user', 'n,,r=abc'])(
    'does not accept %j',
    (first) => {
      expect(scramChallenge(first, SECRETS)).toBeUndefined()
    },
  )
})
