// Parses the URL of a given server as libpq does. The result contains the password; no message of this file does.
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { type ServerAddress, ServerError } from './running-server.ts'

const SCHEME = /^postgres(?:ql)?:\/\//

/**
 * Returns the address in a URL such as `postgres://user:password@host:5432/database?sslmode=require`. Missing parts come from
 * libpq's variables, such as PGPASSWORD.
 * @throws {ServerError} server_refused when the text is not such a URL
 */
export function parseServerUrl(url: string): ServerAddress {
  if (!SCHEME.test(url))
    throw new ServerError(
      'server_refused',
      'The database URL does not begin with postgres:// or postgresql://.',
      { hint: 'Write it as postgres://user:password@host:5432/database.' },
    )
  const { host, port, user, password, database, ssl } = clientOf(url)
  return {
    host,
    port,
    user: user ?? '',
    password: password ?? '',
    database: database ?? user ?? '',
    ...tlsOf(ssl),
  }
}

/** The server as messages name it: host and port, or the folder of its socket. */
export function nameOf({ host, port }: Pick<ServerAddress, 'host' | 'port'>): string {
  return host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`
}

// libpq's meaning of `sslmode`: "require" encrypts and does not verify the certificate, as in psql.
function clientOf(url: string): pg.Client {
  const compatible = url.includes('uselibpqcompat')
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`
  try {
    return new pg.Client({ connectionString: compatible })
  } catch (error) {
    // Errors of the file system name the certificate's path. Other errors may quote the URL.
    const isFileError = error instanceof Error && 'path' in error
    throw new ServerError(
      'server_refused',
      `The database URL cannot be used${isFileError ? `: ${error.message}` : ''}.`,
      { hint: 'Write it as postgres://user:password@host:5432/database.' },
    )
  }
}

// `pg` keeps the options that it made of `sslmode` and `sslrootcert`; its types declare only a boolean.
function tlsOf(ssl: boolean | ConnectionOptions): Pick<ServerAddress, 'ssl'> {
  return ssl === false || ssl === undefined ? {} : { ssl }
}
