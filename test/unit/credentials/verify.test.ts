// Verification of credentials: the caller's identity, or the exact reason of the refusal, for every flaw of every kind of
// credential.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis, HOUR_MILLIS } from '../../../emulator/core/time.ts'
import { type ApiKeyLookup, hashApiKey } from '../../../emulator/platform/credentials/api-key.ts'
import { createProjectKeyMint } from '../../../emulator/platform/credentials/project-key.ts'
import {
  createSessionTokenMint,
  mintDataPlaneToken,
} from '../../../emulator/platform/credentials/session-tokens.ts'
import {
  createSigningKeys,
  generateKeyMaterial,
  type SigningKeys,
} from '../../../emulator/platform/credentials/signing-keys.ts'
import type { UserStanding } from '../../../emulator/platform/credentials/standing.ts'
import { createVerifier, type Verifier } from '../../../emulator/platform/credentials/verify.ts'
import type { Project } from '../../../emulator/platform/projects/project.ts'

const addresses = { authUrl: 'http://auth.test', dataUrl: 'http://api.test' }
const groupKey = `sdb_gk_${'a'.repeat(43)}`
const managementKey = `sdb_pmk_${'b'.repeat(43)}`
const user = {
  userId: '00000000-0000-4000-8000-000000000001',
  email: 'ana@patients.test',
  phone: null,
  sessionId: 's1',
  assuranceLevel: 'aal1',
  methods: [],
  userMetadata: { name: 'Ana' },
  appMetadata: {},
} as const

let clock: ManualClock
let project: Project
let standing: UserStanding
let signingKeys: SigningKeys
let verifier: Verifier

const apiKeys: ApiKeyLookup = {
  findGroupKey: (hash) =>
    hash === hashApiKey(groupKey) ? { keyId: 'k1', groupId: trusted.groupId('grp_a') } : undefined,
  findManagementKey: (hash) =>
    hash === hashApiKey(managementKey)
      ? { keyId: 'k2', projectId: project.id, expiresAt: epochMillis(2 * HOUR_MILLIS) }
      : undefined,
}

beforeEach(async () => {
  clock = new ManualClock(epochMillis(HOUR_MILLIS))
  standing = 'good'
  project = {
    id: trusted.projectId('11111111-1111-4111-8111-111111111111'),
    slug: trusted.slug('acme'),
    schemaName: trusted.schemaName('proj_acme'),
    name: 'Acme',
    kind: 'tenant',
    state: 'active',
    planTier: 'pro',
    keyVersion: 1,
    ownerId: undefined,
    sourceProjectId: undefined,
    frozenAt: undefined,
    createdAt: clock.now(),
  }
  signingKeys = await createSigningKeys(generateKeyMaterial(new SeededIdSource('test')))
  verifier = createVerifier({
    signingKeys,
    projects: { findProject: () => project, findProjectBySchema: () => project },
    apiKeys,
    standings: { standingOf: () => standing },
    clock,
  })
})

const anonKey = async () =>
  (await createProjectKeyMint(signingKeys).mint(project, addresses, clock.now())).anonKey
const dataPlaneToken = () => mintDataPlaneToken(signingKeys, project, user, addresses, clock.now())

describe('verify', () => {
  it('verifies an anon key as anon in its project', async () => {
    const principal = await verifier.verify(await anonKey(), ['principal'])
    expect(principal).toMatchObject({
      role: 'anon',
      schemaName: 'proj_acme',
      subject: 'apikey:anon',
      credentialKind: 'anonKey',
    })
  })

  it('returns the claims of a user as the JSON text of the token', async () => {
    const principal = await verifier.verify(await dataPlaneToken(), ['principal'])
    expect(JSON.parse(principal.claimsText)).toMatchObject({
      sub: user.userId,
      user_metadata: { name: 'Ana' },
    })
  })

  it('verifies a Group API Key and a management key', async () => {
    expect(await verifier.verify(groupKey, ['groupKey'])).toEqual({
      kind: 'groupKey',
      keyId: 'k1',
      groupId: 'grp_a',
    })
    expect(await verifier.verify(managementKey, ['managementKey'])).toMatchObject({
      projectId: project.id,
    })
  })

  it('verifies a PASETO of a dashboard session', async () => {
    const owner = { id: trusted.ownerId('o1'), email: 'dev@tenantry.test' }
    const { token } = await createSessionTokenMint(signingKeys).mintSessionToken(owner, clock.now())
    expect(token).toMatch(/^v4\.public\./)
    expect(await verifier.verify(token, ['owner'])).toEqual({
      kind: 'owner',
      ownerId: 'o1',
      email: owner.email,
    })
  })

  it.each([undefined, ''])('reports %j as a missing credential', async (text) => {
    await expect(verifier.verify(text, ['principal'])).rejects.toMatchObject({ code: 'missing' })
  })

  it.each([
    'x',
    'a.b.c',
    '💥',
    `${'e'.repeat(100_000)}.e.e`,
    'v4.public.AAAA',
    'eyJhbGciOiJub25lIn0.e30.',
  ])('reports %.20s as malformed', async (text) => {
    await expect(verifier.verify(text, ['principal', 'owner'])).rejects.toMatchObject({
      code: 'malformed',
    })
  })

  it('reports a key of another installation as malformed', async () => {
    const foreign = await createSigningKeys(generateKeyMaterial(new SeededIdSource('elsewhere')))
    const { anonKey: key } = await createProjectKeyMint(foreign).mint(
      project,
      addresses,
      clock.now(),
    )
    await expect(verifier.verify(key, ['principal'])).rejects.toMatchObject({ code: 'malformed' })
  })

  it('treats a user’s token as expired one hour after it was minted, not a second earlier', async () => {
    const token = await dataPlaneToken()
    clock.advance(HOUR_MILLIS - 1)
    await verifier.verify(token, ['principal'])
    clock.advance(1)
    await expect(verifier.verify(token, ['principal'])).rejects.toMatchObject({ code: 'expired' })
  })

  it('reports a management key as expired after its expiry', async () => {
    clock.advance(HOUR_MILLIS)
    await expect(verifier.verify(managementKey, ['managementKey'])).rejects.toMatchObject({
      code: 'expired',
    })
  })

  it('reports a key of an older key version as revoked at once', async () => {
    const key = await anonKey()
    await verifier.verify(key, ['principal'])
    project = { ...project, keyVersion: 2 }
    await expect(verifier.verify(key, ['principal'])).rejects.toMatchObject({ code: 'revoked' })
  })

  it.each(['deleted', 'purging', 'purged', 'reserved'] as const)(
    'reports a key of a %s project as offline',
    async (state) => {
      const key = await anonKey()
      project = { ...project, state }
      await expect(verifier.verify(key, ['principal'])).rejects.toMatchObject({ code: 'offline' })
    },
  )

  it.each(['banned', 'deleted'] as const)('refuses the token of a %s user at once', async (now) => {
    const token = await dataPlaneToken()
    standing = now
    await expect(verifier.verify(token, ['principal'])).rejects.toMatchObject({ code: 'userGone' })
  })

  it('reports a valid credential of another kind as the wrong kind', async () => {
    await expect(verifier.verify(await anonKey(), ['owner'])).rejects.toMatchObject({
      code: 'wrongKind',
    })
    await expect(verifier.verify(groupKey, ['principal'])).rejects.toMatchObject({
      code: 'wrongKind',
    })
  })

  it('reports an unknown opaque key as revoked', async () => {
    await expect(verifier.verify(`sdb_gk_${'z'.repeat(43)}`, ['groupKey'])).rejects.toMatchObject({
      code: 'revoked',
    })
  })
})

describe('jwks', () => {
  it('publishes only the public key, under the key id that tokens name', async () => {
    const [header] = (await anonKey()).split('.')
    const { kid } = JSON.parse(Buffer.from(header ?? '', 'base64url').toString()) as { kid: string }
    expect(signingKeys.jwks()).toMatchObject({
      keys: [{ kid, kty: 'EC', crv: 'P-256', alg: 'ES256' }],
    })
    expect(JSON.stringify(signingKeys.jwks())).not.toContain('"d"')
  })
})
