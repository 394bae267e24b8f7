// Implements `Sessions` over the tenant's tables: opens, refreshes, steps up and ends sessions (docs/wire/auth.md#refresh).

import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts'
import { toEpochSeconds } from '../../../core/time.ts'
import { sql } from '../../../database/sql.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import { bearerOf } from '../../../platform/credentials/verify.ts'
import { digestOf, type TextRow } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, proofLapsed, sessionEnded, userGone } from '../errors.ts'
import type { AuthRequest } from '../request/auth-request.ts'
import { parseUser } from '../users/user.ts'
import { lockUser } from '../users/user-locks.ts'
import { readAccessToken } from './access-token.ts'
import { createRecentRotations, type RecentRotations } from './recent-rotations.ts'
import { answerOf, type StandingSession } from './session-answer.ts'
import {
  endStatement,
  lockSession,
  lockSessionOfToken,
  openStatement,
  rotateStatement,
  standingStatement,
  stepUpStatement,
} from './session-statements.ts'
import type {
  AccessTokenClaims,
  AuthMethod,
  SessionAnswer,
  SessionOpening,
  Sessions,
  SignedInUser,
} from './sessions.ts'

/** Number of characters of the User-Agent header that are stored. The header can be 16 KB long. */
const USER_AGENT_LENGTH = 500

type SessionDeps = Pick<AuthDeps, 'tables' | 'revokedUsers' | 'signingKeys' | 'clock' | 'ids'>

export function createSessions(
  deps: SessionDeps,
  recent: RecentRotations = createRecentRotations(deps.clock),
): Sessions {
  return {
    opening: (request, userId, method) => openingOf(deps, request, { userId }, [method]),
    open: (request, user, method, secondFactor) =>
      open(deps, request, user, secondFactor === undefined ? [method] : [method, secondFactor]),
    refresh: (request, refreshToken) => {
      // The cache key contains the project's key version, because replacing the project's keys invalidates the tokens in a
      // cached answer.
      const { schemaName, keyVersion } = request.project
      const key = `${schemaName} ${keyVersion} ${digestOf(refreshToken)}`
      return recent.once(key, () => rotate({ deps, recent, key }, request, refreshToken))
    },
    stepUp: (request, sessionId) => stepUp(deps, request, sessionId),
    authenticate: (request, authorization) => authenticate(deps, request, authorization),
    end: async ({ project }, claims, scope) => {
      const [rows] = await deps.tables.write(project.schemaName, endStatement(claims, scope))
      return Number(rows?.[0]?.[0] ?? 0)
    },
  }
}

async function open(
  deps: SessionDeps,
  request: AuthRequest,
  user: SignedInUser,
  proofs: readonly AuthMethod[],
): Promise<SessionAnswer> {
  const { schemaName } = request.project
  if ((await deps.revokedUsers.standingOf(schemaName, user.userId)) === 'banned') throw banned()
  const { statement, answer } = openingOf(deps, request, user, proofs)
  const [rows] = await deps.tables.writeLocked(schemaName, lockUser(user.userId), statement)
  return answer(rows)
}

function openingOf(
  deps: SessionDeps,
  request: AuthRequest,
  { proof, userId }: SignedInUser,
  proofs: readonly AuthMethod[],
): SessionOpening {
  const refreshToken = deps.ids.secret('')
  const sessionId = deps.ids.uuid()
  const methods = proofs.map((method) => methodEntry(deps, method))
  const assuranceLevel = proofs.includes('totp') ? 'aal2' : 'aal1'
  const statement = openStatement({
    sessionId,
    userId,
    assuranceLevel,
    methodsJson: JSON.stringify(methods),
    userAgent: request.userAgent?.slice(0, USER_AGENT_LENGTH),
    tokenDigest: digestOf(refreshToken),
    proof,
  })
  return {
    statement,
    answer: async (rows) => {
      const [user, isBanned] = rows?.[0] ?? []
      if (isBanned === 't') throw banned()
      if (isBanned !== 'f') throw userGone()
      if (typeof user !== 'string') throw proofLapsed()
      const opened = {
        sessionId,
        assuranceLevel,
        methods,
        refreshToken,
        user: parseUser(user),
      } as const
      return answer(deps, request, opened)
    },
  }
}

interface RotationScope {
  readonly deps: SessionDeps
  readonly recent: RecentRotations
  readonly key: string
}

async function rotate(
  { deps, recent, key }: RotationScope,
  request: AuthRequest,
  presented: string,
): Promise<SessionAnswer> {
  const fresh = deps.ids.secret('')
  const presentedDigest = digestOf(presented)
  const [rows] = await deps.tables.writeLocked(
    request.project.schemaName,
    lockSessionOfToken(presentedDigest),
    rotateStatement({
      presentedDigest,
      freshDigest: digestOf(fresh),
      sealed: sealReplacement(presented, fresh, deps.ids),
    }),
  )
  const row = rows?.[0]
  switch (row?.[0]) {
    case 'rotated': {
      const made = await answer(deps, request, sessionOf(row.slice(1), fresh))
      recent.keep(key, made)
      return made
    }
    case 'again': {
      const replacement = openReplacement(presented, row[5] ?? '')
      if (replacement === undefined) throw refused('The refresh token was replaced by a newer one.')
      return (
        recent.recall(key) ?? (await answer(deps, request, sessionOf(row.slice(1), replacement)))
      )
    }
    case 'reused':
      throw refused(
        'The refresh token was used before. Its session was ended, because the token may have been stolen.',
      )
    case 'ended':
      throw sessionEnded()
    case 'banned':
      throw banned()
    default:
      throw refused('This project did not issue the refresh token.')
  }
}

async function stepUp(
  deps: SessionDeps,
  request: AuthRequest,
  sessionId: string,
): Promise<SessionAnswer> {
  const fresh = deps.ids.secret('')
  const [rows] = await deps.tables.writeLocked(
    request.project.schemaName,
    lockSession(sql`${sessionId}`),
    stepUpStatement({
      sessionId,
      methodJson: JSON.stringify(methodEntry(deps, 'totp')),
      freshDigest: digestOf(fresh),
    }),
  )
  const row = rows?.[0]
  if (row === undefined) throw sessionEnded()
  return answer(deps, request, sessionOf(row, fresh))
}

async function authenticate(
  deps: SessionDeps,
  { project }: AuthRequest,
  authorization: string | undefined,
): Promise<AccessTokenClaims> {
  const token = await readAccessToken(deps.signingKeys, bearerOf(authorization), deps.clock.now())
  const { userId, sessionId } = token
  if (token.projectId !== project.id)
    throw new CredentialError('wrongKind', 'The access_token belongs to another project.')
  const [rows] = await deps.tables.read(project.schemaName, standingStatement(sessionId, userId))
  const [level, isBanned] = rows?.[0] ?? []
  if (level === undefined)
    throw new CredentialError('revoked', 'The session of this access_token was ended.', {
      hint: 'Sign in again.',
    })
  const standing = await deps.revokedUsers.standingOf(project.schemaName, userId)
  if (isBanned === 't' || standing === 'banned') throw banned()
  return { userId, sessionId, assuranceLevel: level === 'aal2' ? 'aal2' : 'aal1' }
}

// The columns of `row` are session id, aal, amr and user.
function sessionOf(row: TextRow, refreshToken: string): StandingSession {
  const [sessionId, level, amr, user] = row
  const methods = parseJson(amr ?? '[]')
  return {
    sessionId: sessionId ?? '',
    assuranceLevel: level === 'aal2' ? 'aal2' : 'aal1',
    methods: Array.isArray(methods) ? methods.filter(isJsonObject) : [],
    refreshToken,
    user: parseUser(user ?? ''),
  }
}

function answer(
  deps: SessionDeps,
  request: AuthRequest,
  session: StandingSession,
): Promise<SessionAnswer> {
  return answerOf(deps, request, session, deps.clock.now())
}

function methodEntry({ clock }: SessionDeps, method: AuthMethod): JsonObject {
  return { method, timestamp: toEpochSeconds(clock.now()) }
}

function refused(message: string): AuthError {
  return new AuthError('unauthorized', message, { hint: 'Sign in again.' })
}

function banned(): AuthError {
  return new AuthError('user_banned', 'The user is banned from this project.')
}

// Encrypts the new refresh token so that only the holder of the old one can read it (docs/wire/auth.md#refresh). A second tab
// gets the same pair within the grace time, and the tables alone reveal no token.

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with AES-256-GCM and a key derived from the old token. Returns base64url. */
export function sealReplacement(spentToken: string, replacement: string, ids: IdSource): string {
  const nonce = ids.bytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(spentToken), nonce)
  const sealed = Buffer.concat([cipher.update(replacement, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts the result of `sealReplacement`; `undefined` when it was encrypted with another token. */
export function openReplacement(spentToken: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(spentToken),
      bytes.subarray(0, NONCE_BYTES),
    )
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

// Must differ from the token digest in the tables, so that the tables do not contain the key.
function keyOf(spentToken: string): Buffer {
  return createHash('sha256').update(`replacement of ${spentToken}`).digest()
}
