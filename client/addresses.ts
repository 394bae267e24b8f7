// Derives the addresses of the services from the client's URL, and the slug from the option `project`.

export interface Addresses {
  readonly auth: string
  readonly data: string
  /** Address of the storage service until a token exchange returns another one. */
  readonly storage: string
}

/**
 * Data requests go to the auth address with `://auth.` replaced by `://api.` (docs/wire/platform.md#addresses). When the auth
 * address has no `://auth.`, data requests go to the auth address itself.
 * @throws {TypeError} when `url` is not an HTTP address
 */
export function addressesOf(url: unknown): Addresses {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new TypeError(
      `The first argument is the auth address, e.g. http://127.0.0.1:7357, not ${String(url)}.`,
    )
  const auth = url.replace(/\/+$/, '')
  const byHostName = auth.includes('://auth.')
  return {
    auth,
    data: auth.replace('://auth.', '://api.'),
    storage: byHostName ? auth.replace('://auth.', '://storage.') : `${auth}/storage/v1`,
  }
}

/**
 * Returns the slug of a project that is given as a slug or as a schema name.
 * @throws {TypeError} when `project` is neither
 */
export function slugOf(project: unknown): string {
  const slug = typeof project === 'string' ? project.replace(/^proj_/, '') : ''
  if (!/^[a-z0-9_]+$/.test(slug))
    throw new TypeError(
      'The option `project` must be the tenant’s slug or the name of its schema, proj_<slug>.',
    )
  return slug
}
