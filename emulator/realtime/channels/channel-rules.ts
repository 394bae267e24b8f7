// Decides which token may enter which channel, and words refusals as upstream does (docs/wire/realtime.md#private). Pure.

import type { RealtimeToken, RealtimeTokenError, TokenFlaw } from '../tokens/realtime-token.ts'
import type { JoinConfig } from './join-config.ts'

/** A private channel is its project's own: `<project_schema>:<name>`. */
export function mayEnter(
  name: string,
  isPrivate: boolean,
  { schemaName }: Pick<RealtimeToken, 'schemaName'>,
): boolean {
  return !isPrivate || (name.startsWith(`${schemaName}:`) && name.length > schemaName.length + 1)
}

/** The refusal of a token that may not enter, or no longer. */
export function noPermission(name: string): string {
  return `You do not have permissions to read from this Channel topic: ${name}`
}

/** Why the join of `name` is refused; `undefined` when it is not. */
export function joinRefusal(
  name: string,
  { isPrivate, broadcast }: Pick<JoinConfig, 'isPrivate' | 'broadcast'>,
  token: Pick<RealtimeToken, 'schemaName'>,
): string | undefined {
  if (!mayEnter(name, isPrivate, token)) return `Unauthorized: ${noPermission(name)}`
  if (broadcast.replays && !isPrivate)
    return 'UnableToReplayMessages: Replay is not allowed for public channels'
  return undefined
}

const CODES: Readonly<Record<TokenFlaw, string>> = {
  missing: 'InvalidJWTToken',
  malformed: 'MalformedJWT',
  badSignature: 'JwtSignatureError',
  missingClaims: 'InvalidJWTToken',
  expired: 'InvalidJWTToken',
  revoked: 'JwtSignatureError',
  userGone: 'Unauthorized',
  offline: 'RealtimeDisabledForTenant',
  unknownProject: 'TenantNotFound',
}

/** `<Code>: <text>` for a join with a bad token. */
export function tokenRefusal({ code, message }: RealtimeTokenError): string {
  return `${CODES[code]}: ${message}`
}
