// Decides which token may join which channel, with upstream's texts for refusals (docs/wire/realtime.md#private). Pure.

import type { RealtimeToken, RealtimeTokenError, TokenFlaw } from '../tokens/realtime-token.ts'
import type { JoinConfig } from './join-config.ts'

/** Whether a token may join a channel. A private channel `<project_schema>:<name>` accepts only tokens of its project. */
export function mayEnter(
  name: string,
  isPrivate: boolean,
  { schemaName }: Pick<RealtimeToken, 'schemaName'>,
): boolean {
  return !isPrivate || (name.startsWith(`${schemaName}:`) && name.length > schemaName.length + 1)
}

/** Returns the text that refuses a token without permission to join the channel, or to stay in the channel. */
export function noPermission(name: string): string {
  return `You do not have permissions to read from this Channel topic: ${name}`
}

/** Returns why the join of `name` is refused; `undefined` when it is allowed. */
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

/** Returns `<Code>: <text>`, the refusal of a join with an invalid token. */
export function tokenRefusal({ code, message }: RealtimeTokenError): string {
  return `${CODES[code]}: ${message}`
}
