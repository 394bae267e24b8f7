// The function that the option `near` of `listenPostgres` has replaced, kept for programs that still call it.
import type { Listening } from '../../server/listening.ts'
import type { EmulatorMethods } from './emulator.ts'

/**
 * Opens the Postgres port near `port`. Prefer the option `near` of `listenPostgres`.
 * @throws {ListenError} when no port is free
 */
export async function listenPostgresNear(
  emulator: Pick<EmulatorMethods, 'listenPostgres'>,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> {
  return emulator.listenPostgres({ near: port, host })
}
