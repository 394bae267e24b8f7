// The addresses of the services, and the slug of the client's project.

export interface Addresses {
  readonly auth: string
  readonly data: string
  /** Address of storage until a token's answer gives another one. */
  readonly storage: string
}

/**
 * docs/wire/platform.md#addresses: `://auth.` becomes `://api.`; any other auth address is used for data as it is.
 * @throws {TypeError} when `url` is no HTTP address
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

/** The slug in a slug or a schema's name. @throws {TypeError} when it is neither */
export function slugOf(project: unknown): string {
  const slug = typeof project === 'string' ? project.replace(/^proj_/, '') : ''
  if (!/^[a-z0-9_]+$/.test(slug))
    throw new TypeError(
      'The option `project` is needed: the tenant’s slug or its schema’s name, proj_<slug>.',
    )
  return slug
}
