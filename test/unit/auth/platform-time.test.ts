// The engine's time differs from platform time in this test, as on a database server. All times in auth rows must be platform
// time.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../emulator/core/id-source.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { DAY_MILLIS, epochMillis, HOUR_MILLIS } from '../../../emulator/core/time.ts'
import type { Engine } from '../../../emulator/database/engine.ts'
import { identifier, sql, verbatim } from '../../../emulator/database/sql.ts'
import { createAuthTables } from '../../../emulator/services/auth/auth-tables.ts'
import { addFactor, tryFactor } from '../../../emulator/services/auth/mfa/mfa-factors.ts'
import { useFactor } from '../../../emulator/services/auth/mfa/verify-factor.ts'
import {
  followLink,
  issueToken,
} from '../../../emulator/services/auth/one-time-codes/link-tokens.ts'
import {
  issueCode,
  spendCode,
} from '../../../emulator/services/auth/one-time-codes/six-digit-codes.ts'
import {
  changePassword,
  resetPassword,
} from '../../../emulator/services/auth/passwords/passwords.ts'
import {
  endStatement,
  openStatement,
  rotateStatement,
  stepUpStatement,
} from '../../../emulator/services/auth/sessions/session-statements.ts'
import { answerFlow, openFlow } from '../../../emulator/services/auth/social/flow-states.ts'
import { accountOf } from '../../../emulator/services/auth/social/providers.ts'
import { landFlow } from '../../../emulator/services/auth/social/social-sign-in.ts'
import { insertWholeUsers } from '../../../emulator/services/auth/users/fixture-users.ts'
import type { Target } from '../../../emulator/services/auth/users/proven-user.ts'
import {
  createUser,
  mergeUserMetadata,
  ownIdentity,
} from '../../../emulator/services/auth/users/users.ts'
import { openTestEngine } from '../../support/test-engine.ts'

const SHOP = trusted.schemaName('proj_shop')
const START = epochMillis(Date.UTC(2044, 4, 1))
const clock = new ManualClock(START)
const ids = new SystemIdSource()
let engine: Engine

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await engine.projects.create(SHOP, [WITHOUT_DEFAULTS])
})

afterAll(() => engine.close())

// Removes the defaults of time columns, so that an insert without a value for such a column fails.
const WITHOUT_DEFAULTS = verbatim(`do $block$ declare each record; begin
  for each in select table_name, column_name from information_schema.columns
    where table_schema = '${SHOP}' and column_default ilike '%now()%'
  loop
    execute format('alter table ${SHOP}.%I alter column %I drop default', each.table_name, each.column_name);
  end loop;
end $block$`)

const tables = () => createAuthTables(engine, clock)
const deps = () => ({ tables: tables(), ids })

async function newUser(email: string): Promise<string> {
  const creation = await createUser(tables(), SHOP, {
    id: ids.uuid(),
    email,
    emailConfirmed: true,
    phoneConfirmed: false,
    passwordHash: 'hash',
    userMetadata: {},
    identities: [ownIdentity('email', email)],
  })
  if (creation.kind !== 'created') throw new Error('the address is taken')
  return creation.user.id
}

async function openSession(userId: string, tokenDigest: string): Promise<string> {
  const sessionId = ids.uuid()
  await tables().write(
    SHOP,
    openStatement({
      sessionId,
      userId,
      assuranceLevel: 'aal1',
      methodsJson: '[]',
      userAgent: undefined,
      tokenDigest,
      proof: undefined,
    }),
  )
  return sessionId
}

async function useSessions(userId: string): Promise<void> {
  const sessionId = await openSession(userId, 'first')
  const rotation = { presentedDigest: 'first', freshDigest: 'second', sealed: 'sealed' }
  await tables().write(SHOP, rotateStatement(rotation))
  const stepUp = { sessionId, methodJson: '{"method":"totp"}', freshDigest: 'third' }
  await tables().write(SHOP, stepUpStatement(stepUp))
  await tables().write(SHOP, endStatement({ userId, sessionId }, 'local'))
}

async function useFactors(userId: string): Promise<void> {
  const factorId = ids.uuid()
  const sessionId = await openSession(userId, 'of factors')
  const draft = { id: factorId, userId, sessionId, secret: 'BASE32', friendlyName: undefined }
  await addFactor(tables(), SHOP, { ...draft, assuranceLevel: 'aal1' })
  const attempt = { factorId, userId, ticket: sessionId }
  await tryFactor(tables(), SHOP, attempt)
  await useFactor(tables(), SHOP, {
    ...attempt,
    step: 1,
    tokenId: undefined,
    assuranceLevel: 'aal1',
  })
  await tryFactor(tables(), SHOP, attempt)
}

async function codeFor(target: Target): Promise<string> {
  const issued = await issueCode(deps(), SHOP, target, true)
  if (issued.kind === 'refused') throw new Error('no code was issued')
  return issued.code
}

async function useTokens(userId: string): Promise<void> {
  const draft = { userId, target: 'ana@example.com', redirectTo: undefined, facts: {} }
  const lifetimeMillis = HOUR_MILLIS
  const link = await issueToken(deps(), SHOP, { ...draft, purpose: 'confirmation', lifetimeMillis })
  await followLink(deps(), SHOP, 'confirmation', link)
  const target = { kind: 'email', address: 'ana@example.com' } as const
  const code = await codeFor(target)
  await spendCode(deps(), SHOP, target, code)
  const reset = await issueToken(deps(), SHOP, { ...draft, purpose: 'recovery', lifetimeMillis })
  await resetPassword(tables(), SHOP, { token: reset, passwordHash: 'reset' })
  await changePassword(tables(), SHOP, {
    userId,
    passwordHash: 'changed',
    replaces: 'reset',
    sessionId: await openSession(userId, 'of the password'),
  })
}

async function useProvider(): Promise<void> {
  const provider = 'google'
  const state = 'shop.state'
  await openFlow(deps(), SHOP, { provider, state, challenge: 'c', redirectTo: 'http://app' })
  const account = accountOf(provider, {
    name: 'Eva',
    email: 'eva@example.com',
    emailVerified: true,
  })
  const answer = await answerFlow(deps(), SHOP, { provider, state }, account)
  const arrival = { provider, state, isBound: true, answer, mayCreateUser: true } as const
  expect((await landFlow(deps(), SHOP, arrival)).kind).toBe('signedIn')
}

async function importUser(): Promise<void> {
  await insertWholeUsers(tables(), SHOP, [
    {
      id: ids.uuid(),
      email: 'old@example.com',
      phone: undefined,
      emailConfirmed: true,
      phoneConfirmed: false,
      passwordHash: 'hash',
      userMetadata: {},
      appMetadata: {},
      bannedUntil: undefined,
      createdAt: undefined,
      lastSignInAt: undefined,
      identities: [ownIdentity('email', 'old@example.com')],
      factors: [{ secret: 'BASE32', friendlyName: undefined, isVerified: true }],
    },
  ])
}

const AUTH_TABLES = [
  'auth_users',
  'auth_credentials',
  'auth_sessions',
  'auth_refresh_tokens',
  'auth_identities',
  'auth_mfa_factors',
  'auth_one_time_codes',
  'auth_flow_states',
] as const

/** Returns `table.column` and text of every timestamp in the table. */
async function timestampsOf(table: string): Promise<readonly (readonly [string, string])[]> {
  const [rows = []] = await tables().read(
    SHOP,
    sql`select cell.key, cell.value
      from ${identifier(table)} as each, pg_catalog.jsonb_each_text(pg_catalog.to_jsonb(each)) as cell
      where cell.key like '%\\_at' and cell.value is not null`,
  )
  return rows.map(([column, text]) => [`${table}.${column}`, text ?? ''])
}

it('dates every row of the auth tables by the platform clock', async () => {
  const userId = await newUser('ana@example.com')
  await mergeUserMetadata(tables(), SHOP, userId, { name: 'Ana' })
  await useSessions(userId)
  await useTokens(userId)
  await useFactors(userId)
  await useProvider()
  await importUser()

  const timestamps = (await Promise.all(AUTH_TABLES.map(timestampsOf))).flat()
  const others = timestamps.filter(([, text]) => {
    const at = Date.parse(text)
    return at < START || at > START + DAY_MILLIS
  })
  expect(others).toEqual([])
  expect(new Set(timestamps.map(([column]) => column.split('.')[0])).size).toBe(AUTH_TABLES.length)
})

it('refuses a code when the platform clock has passed the code’s expiry', async () => {
  const target = { kind: 'phone', address: '+5511900000001' } as const
  const code = await codeFor(target)
  clock.advance(HOUR_MILLIS)
  expect(await spendCode(deps(), SHOP, target, code)).toEqual({ kind: 'late' })
})
