// Decodes the configuration that a client sends when it joins (docs/wire/realtime.md#join). Malformed parts get their default
// and are never refused. Booleans may be text. Pure.
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
    /** Presence key; with `undefined` the server generates one. */
    readonly key: string | undefined
  }
  /** The requests as the client sent them. The reply lists them in the same order. */
  readonly changeRequests: readonly JsonObject[]
  /** Token of the channel; with `undefined` the socket's token is used. */
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

/** Returns the token of a message. `undefined` without a token, or for a publishable key, which identifies no user. */
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
