// Decides which token may join which channel, with upstream's texts for refusals (docs/wire/realtime.md#private). Pure.

import { joinReason, TOKEN_FLAWS } from '../refusals.ts'
import type { RealtimeToken, RealtimeTokenError } from '../tokens/realtime-token.ts'
import type { JoinConfig } from './join-config.ts'

/** Whether a token may join a channel. A private channel `<project_schema>:<name>` accepts only tokens of its project. */
export function mayEnter(
  name: string,
  isPrivate: boolean,
  { schemaName }: Pick<RealtimeToken, 'schemaName'>,
): boolean {
  return !isPrivate || (name.startsWith(`${schemaName}:`) && name.length > schemaName.length + 1)
}

/** Returns why the join of `name` is refused; `undefined` when it is allowed. */
export function joinRefusal(
  name: string,
  { isPrivate, broadcast }: Pick<JoinConfig, 'isPrivate' | 'broadcast'>,
  token: Pick<RealtimeToken, 'schemaName'>,
): string | undefined {
  if (!mayEnter(name, isPrivate, token)) return joinReason('Unauthorized', name)
  if (broadcast.replays && !isPrivate) return joinReason('UnableToReplayMessages')
  return undefined
}

/** Returns `<Code>: <text>`, the refusal of a join with an invalid token. */
export function tokenRefusal({ code, message }: RealtimeTokenError): string {
  return `${TOKEN_FLAWS[code].join[0]}: ${message}`
}
