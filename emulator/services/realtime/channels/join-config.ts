// Decodes the configuration that a client sends when it joins (docs/wire/realtime.md#join). A malformed part gets its default
// and is never refused. A boolean may be the text `true` or `false`. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'

export interface JoinConfig {
  readonly isPrivate: boolean
  readonly broadcast: {
    readonly acknowledges: boolean
    readonly includesSelf: boolean
    readonly replays: boolean
  }
  readonly presence: {
    readonly isEnabled: boolean
    /** Presence key of the client. The server generates a key when this is `undefined`. */
    readonly key: string | undefined
  }
  /** The requests for row changes as the client sent them. The reply lists the requests in the same order. */
  readonly changeRequests: readonly JsonObject[]
  /** Token of the channel. The channel uses the socket's token when this is `undefined`. */
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

/** Returns the token of a message. A publishable key identifies no user, so the result is then `undefined`. */
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
