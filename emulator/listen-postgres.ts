// The Postgres port that nobody named: the wanted one, or a free one when that is taken.
import type { Emulator, PostgresListenOptions } from './emulator.ts'
import { ListenError, type Listening } from './server/listening.ts'

/** @throws {ListenError} when not even a free port can be had */
export async function listenPostgresNear(
  emulator: Pick<Emulator, 'listenPostgres'>,
  { port, host }: PostgresListenOptions,
): Promise<Listening> {
  try {
    return await emulator.listenPostgres({ port, host })
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    return emulator.listenPostgres({ port: 0, host })
  }
}
