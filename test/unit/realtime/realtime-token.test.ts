// Reading a realtime token: which flaw is found, and its documented error message (docs/wire/realtime.md#tokens).
import { beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import type { JsonObject } from '../../../emulator/core/json.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis, toEpochSeconds } from '../../../emulator/core/time.ts'
import {
  createSigningKeys,
  generateKeyMaterial,
  type SigningKeys,
} from '../../../emulator/platform/credentials/signing-keys.ts'
import type { UserStanding } from '../../../emulator/platform/credentials/standing.ts'
import type { Project, ProjectState } from '../../../emulator/platform/projects/project.ts'
import {
  createTokenReader,
  type TokenReader,
} from '../../../emulator/services/realtime/tokens/realtime-token.ts'

const clock = new ManualClock(epochMillis(1_000_000_000))
let signingKeys: SigningKeys
beforeAll(async () => {
  signingKeys = await createSigningKeys(generateKeyMaterial(new SeededIdSource('token')))
})

interface Situation {
  readonly state?: ProjectState
  readonly keyVersion?: number
  readonly standing?: UserStanding
}

function readerIn({ state = 'active', keyVersion = 1, standing = 'good' }: Situation): TokenReader {
  const project: Project = {
    id: trusted.projectId('p'),
    slug: trusted.slug('a'),
    schemaName: trusted.schemaName('proj_a'),
    name: 'a',
    kind: 'project',
    state,
    planTier: 'free',
    keyVersion,
    ownerId: undefined,
    sourceProjectId: undefined,
    frozenAt: undefined,
    createdAt: clock.now(),
  }
  const find = (schemaName: string) => (schemaName === 'proj_a' ? project : undefined)
  return createTokenReader({
    signingKeys,
    projects: { findProject: () => project, findProjectBySchema: find },
    standings: { standingOf: () => standing },
    clock,
  })
}

const claims = { role: 'authenticated', sub: 'u', kv: 1, user_metadata: { team: 'b' } }
const sound = (): JsonObject => ({
  role: 'rt_proj_a',
  sdb_role: 'authenticated',
  project_schema: 'proj_a',
  sub: 'u',
  claims,
  exp: toEpochSeconds(clock.now()) + 10,
})
const sign = (changes: JsonObject = {}): Promise<string> =>
  signingKeys.signHs256('realtime', { ...sound(), ...changes })
const flaw = (code: string, message: string) => expect.objectContaining({ code, message })

describe('reading a realtime token', () => {
  it('returns the subscriber with its claims, and the same object when the token is read again', async () => {
    const reader = readerIn({})
    const text = await sign()
    const token = await reader.read(text)
    expect(token).toEqual({
      text,
      schemaName: 'proj_a',
      role: 'authenticated',
      subject: 'u',
      claims,
      claimsText: JSON.stringify(claims),
      keyVersion: 1,
      expiresAt: sound()['exp'],
    })
    expect(await reader.read(text)).toBe(token)
  })

  it.each<[JsonObject, string, string]>([
    [{ exp: undefined }, 'missingClaims', 'Fields `role` and `exp` are required in JWT'],
    [{ role: undefined }, 'missingClaims', 'Fields `role` and `exp` are required in JWT'],
    [{ sdb_role: 'postgres' }, 'malformed', 'The token provided is not a valid JWT'],
    [{ project_schema: 'public' }, 'malformed', 'The token provided is not a valid JWT'],
    [{ claims: null }, 'malformed', 'The token provided is not a valid JWT'],
    [{ exp: 999_993 }, 'expired', 'Token has expired 7 seconds ago'],
    [{ exp: 1_000_000 }, 'expired', 'Token has expired 0 seconds ago'],
    [{ project_schema: 'proj_none' }, 'unknownProject', 'Tenant with the given ID does not exist'],
  ])('refuses a token with %j as %s', async (changes, code, message) => {
    await expect(readerIn({}).read(await sign(changes))).rejects.toEqual(flaw(code, message))
  })

  it.each<[Situation, string]>([
    [{ state: 'deleted' }, 'offline'],
    [{ state: 'purging' }, 'offline'],
    [{ state: 'purged' }, 'unknownProject'],
    [{ keyVersion: 2 }, 'revoked'],
    [{ standing: 'banned' }, 'userGone'],
    [{ standing: 'deleted' }, 'userGone'],
  ])('refuses a valid token in %j as %s', async (situation, code) => {
    await expect(readerIn(situation).read(await sign())).rejects.toMatchObject({ code })
  })

  it('does not look up a user for a key', async () => {
    const reader = readerIn({ standing: 'deleted' })
    const token = await reader.read(await sign({ sdb_role: 'anon' }))
    expect(token.role).toBe('anon')
  })

  it.each([
    [undefined, 'missing'],
    ['', 'missing'],
    ['nonsense', 'malformed'],
    ['a.b.c', 'malformed'],
    ['e30.e30.', 'malformed'],
    ['e30.e30.x.y', 'malformed'],
    ['e30.e30.e30', 'badSignature'],
  ])('refuses %j as %s', async (text, code) => {
    await expect(readerIn({}).read(text)).rejects.toMatchObject({ code })
  })

  it('refuses a token that another service’s secret or another algorithm signed', async () => {
    const reader = readerIn({})
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(sound())).toString('base64url')}.e30`
    for (const text of [
      await signingKeys.signHs256('storage', sound()),
      await signingKeys.signEs256(sound()),
      unsigned,
    ])
      await expect(reader.read(text)).rejects.toMatchObject({ code: 'badSignature' })
  })

  it('reports why a token is no longer valid', async () => {
    const reader = readerIn({})
    const token = await reader.read(await sign())
    expect(await reader.flawOf(token)).toBeUndefined()
    clock.advance(12_000)
    expect(await reader.flawOf(token)).toMatchObject({ message: 'Token has expired 2 seconds ago' })
    await expect(reader.read(token.text)).rejects.toMatchObject({ code: 'expired' })
    clock.advance(-12_000)
  })
})
