// Creates a `fetch` whose requests have an identity, without a sign-in.
import type { MintPrincipalAnswer } from '../../contract/tokens.ts'
import { callEmulator, type Platform } from './platform.ts'

/** An identity within one tenant. */
export interface TenantIdentity {
  /** Role of the identity. The default is `authenticated` with a user or claims, else `anon`. */
  readonly role?: 'anon' | 'authenticated' | 'service_role'
  /** E-mail address or id of a user. An unknown UUID is a user that exists only in the token. */
  readonly user?: string
  /** Further claims of the token: `user_metadata`, `app_metadata`, `aal`. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** An identity within a tenant, or the holder of a key. `tenant` is a slug, schema name or project id. */
export type Identity =
  | (TenantIdentity & { readonly tenant: string })
  /** `key` is a project key, a user's token, a Group API Key or a management key. */
  | { readonly key: string }

/** Sends requests with an identity. */
export interface Actor {
  /** Bearer token. A user's token is valid for an hour of platform time. */
  readonly token: string
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Works like the global `fetch`. Paths are relative to the platform. The actor always sets `authorization` and `apikey`, so
   * that any client can use this function as its `fetch`.
   */
  readonly fetch: typeof globalThis.fetch
}

/** Facts of a tenant that an actor needs. */
export interface ActorsTenant {
  readonly slug: string
  readonly schemaName: string
  readonly anonKey: string
}

/** Mints a credential of the tenant. @throws {TestingError} `refused`, e.g. for an unknown user */
export async function actInTenant(
  platform: Platform,
  tenant: ActorsTenant,
  identity: TenantIdentity,
): Promise<Actor> {
  const token = await mint(platform, tenant.slug, identity)
  return actorOf(platform, token, {
    apikey: tenant.anonKey,
    'accept-profile': tenant.schemaName,
    'content-profile': tenant.schemaName,
  })
}

/** Sends requests with an existing key. */
export function actWithKey(platform: Platform, key: string): Actor {
  return actorOf(platform, key, { apikey: key })
}

async function mint(
  platform: Platform,
  project: string,
  { role, user, claims }: TenantIdentity,
): Promise<string> {
  const order = {
    project,
    role: role ?? (user === undefined && claims === undefined ? 'anon' : 'authenticated'),
    user,
    claims,
  }
  return (await callEmulator<MintPrincipalAnswer>(platform, 'POST', '/principals', order)).token
}

const PROVES_WHO = new Set(['authorization', 'apikey'])

function actorOf(platform: Platform, token: string, own: Readonly<Record<string, string>>): Actor {
  const headers = { ...own, authorization: `Bearer ${token}` }
  return {
    token,
    headers,
    fetch: (input, init) => {
      const asked =
        input instanceof Request
          ? new Request(input, init)
          : new Request(new URL(input, platform.origin), init)
      for (const [name, value] of Object.entries(headers))
        if (PROVES_WHO.has(name) || !asked.headers.has(name)) asked.headers.set(name, value)
      return platform.send(asked)
    },
  }
}
