// The configuration that a client sends when it joins (docs/wire/realtime.md#join). A malformed part gets its default and is never refused;
// booleans may be text. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'

export interface JoinConfig {
  readonly isPrivate: boolean
  readonly broadcast: {
    readonly acknowledges: boolean
    readonly includesSelf: boolean
    readonly replays: boolean
  }
  readonly presence: {
    readonly isEnabled: boolean
    /** `undefined`: the server makes one. */
    readonly key: string | undefined
  }
  /** As the client wrote them; the reply lists them in the same order. */
  readonly changeRequests: readonly JsonObject[]
  /** `undefined`: the socket's own token applies. */
  readonly accessToken: string | undefined
}

/** Decodes the payload of `phx_join`. */
export function decodeJoin(payload: JsonObject): JoinConfig {
  const config = memberOf(payload, 'config')
  const broadcast = memberOf(config, 'broadcast')
  const presence = memberOf(config, 'presence')
  const requests = config['postgres_changes']
  return {
    isPrivate: isTrue(config['private']),
    broadcast: {
      acknowledges: isTrue(broadcast['ack']),
      includesSelf: isTrue(broadcast['self']),
      replays: isJsonObject(broadcast['replay']),
    },
    presence: { isEnabled: isTrue(presence['enabled']), key: keyOf(presence['key']) },
    changeRequests: Array.isArray(requests) ? requests.filter(isJsonObject) : [],
    accessToken: accessTokenOf(payload['access_token']) ?? accessTokenOf(payload['user_token']),
  }
}

/** The token that a message brings; `undefined` without one, or with a publishable key, which names no user. */
export function accessTokenOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('sb_') ? value : undefined
}

function memberOf(parent: JsonObject, name: string): JsonObject {
  const member = parent[name]
  return isJsonObject(member) ? member : {}
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
}

function keyOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
