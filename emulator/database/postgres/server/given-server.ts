// A server that the user gave by its URL. Tenantry neither starts nor stops it.
import type { IdSource } from '../../../core/id-source.ts'
import { keepServer, secretBytes } from './kept-server.ts'
import type { RunningServer } from './running-server.ts'
import { readServerFacts } from './server-facts.ts'
import { parseServerUrl } from './server-url.ts'

export interface GivenServerOptions {
  readonly url: string
  /** Folder of the data directory for the secret of this server's logins. */
  readonly folder: string
  /** Source of secrets. Never a seeded one, because the server may be open to other machines. */
  readonly ids: IdSource
}

/**
 * Checks that the server is usable.
 * @throws {ServerError} server_refused or server_unreachable, which say what to change
 */
export async function describeServer({
  url,
  folder,
  ids,
}: GivenServerOptions): Promise<RunningServer> {
  const address = parseServerUrl(url)
  const facts = await readServerFacts(address)
  const kept = keepServer(folder, ids)
  return {
    address,
    clientAddress: { host: address.host, port: address.port },
    secret: secretBytes(kept),
    prefix: kept.prefix,
    facts,
    restarts: 0,
    down: undefined,
    // The engine notices from its own connections when a given server is down.
    onDown: () => () => {},
    close: async () => {},
  }
}
