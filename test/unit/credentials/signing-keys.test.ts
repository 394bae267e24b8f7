// A token that was verified before is accepted without checking its signature again. Every other token is checked completely.
import { beforeAll, describe, expect, it } from 'vitest'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis, HOUR_MILLIS } from '../../../emulator/core/time.ts'
import { createProjectKeyMint } from '../../../emulator/platform/credentials/project-key.ts'
import {
  createSigningKeys,
  generateKeyMaterial,
  type SigningKeys,
} from '../../../emulator/platform/credentials/signing-keys.ts'

const NOW = epochMillis(HOUR_MILLIS)
const ADDRESSES = { authUrl: 'http://auth.test', dataUrl: 'http://api.test' }
const SCHEMA = trusted.schemaName('proj_shop')

let keys: SigningKeys
beforeAll(async () => {
  keys = await createSigningKeys(generateKeyMaterial(new SeededIdSource('keys')))
})

/** Returns the token with a changed character inside its signature. */
function altered(token: string): string {
  const at = token.length - 20
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}

describe('a PASETO that was verified before', () => {
  it('returns the same claims again until it expires', async () => {
    const token = await keys.signPaseto({ sub: 'u1' }, NOW, 60)
    const claims = await keys.verifyPaseto(token, NOW)
    expect(await keys.verifyPaseto(token, NOW)).toEqual(claims)
    expect(claims).toMatchObject({ sub: 'u1' })
    const later = epochMillis(NOW + 61_000)
    await expect(keys.verifyPaseto(token, later)).rejects.toMatchObject({ code: 'expired' })
  })

  it('does not make an altered token valid', async () => {
    const token = await keys.signPaseto({ sub: 'u1' }, NOW, 60)
    await keys.verifyPaseto(token, NOW)
    const refused = keys.verifyPaseto(altered(token), NOW)
    await expect(refused).rejects.toMatchObject({ code: 'malformed' })
  })
})

describe('a token of a service that was verified before', () => {
  it('returns the same claims again, and does not make an altered token valid', async () => {
    const token = await keys.signHs256('storage', { sub: 'u1' })
    const first = await keys.verifyHs256('storage', token)
    expect(await keys.verifyHs256('storage', token)).toEqual(first)
    const refused = keys.verifyHs256('storage', altered(token))
    await expect(refused).rejects.toMatchObject({ code: 'malformed' })
  })

  it('is refused by the other service', async () => {
    const token = await keys.signHs256('storage', { sub: 'u1' })
    await keys.verifyHs256('storage', token)
    const refused = keys.verifyHs256('realtime', token)
    await expect(refused).rejects.toMatchObject({ code: 'malformed' })
  })
})

describe('a project key', () => {
  it('has the same text each time it is minted, also after a restart', async () => {
    const project = { id: trusted.projectId('p1'), schemaName: SCHEMA, keyVersion: 1 }
    const again = await createSigningKeys(generateKeyMaterial(new SeededIdSource('keys')))
    const minted = await createProjectKeyMint(keys).mint(project, ADDRESSES, NOW)
    expect(await createProjectKeyMint(again).mint(project, ADDRESSES, NOW)).toEqual(minted)
    expect(
      await createProjectKeyMint(again).mint({ ...project, keyVersion: 2 }, ADDRESSES, NOW),
    ).not.toEqual(minted)
    expect((await again.verifyEs256(minted.anonKey)).claims).toMatchObject({ role: 'anon', kv: 1 })
  })
})
