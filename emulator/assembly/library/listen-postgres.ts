// Opens the default Postgres port, or a free one when the default is taken.

import { ListenError, type Listening } from '../../server/listening.ts'
import type { BareEmulator, PostgresListenOptions } from './emulator.ts'

/** @throws {ListenError} when no port is free */
export async function listenPostgresNear(
  emulator: Pick<BareEmulator, 'listenPostgres'>,
  { port, host }: PostgresListenOptions,
): Promise<Listening> {
  try {
    return await emulator.listenPostgres({ port, host })
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    return emulator.listenPostgres({ port: 0, host })
  }
}
