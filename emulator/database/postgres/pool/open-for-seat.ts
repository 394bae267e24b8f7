// Opens a connection of a login. A login that the server refuses is repaired once, because tenants can change their logins.
import { logIn, type OpenedSocket } from '../connections/log-in.ts'
import type { RepairLogins } from '../projects/repair-logins.ts'
import type { ServerAddress } from '../server/running-server.ts'
import { isLoginRefused, noDatabaseError } from './opening-errors.ts'
import type { Seat } from './seat.ts'

export interface OpenedForSeat {
  readonly address: ServerAddress
  readonly opened: OpenedSocket
}

/** @throws the error of `pg` or of the socket, or {SqlError} when the project has no database */
export async function openForSeat(
  { login, options, project }: Seat,
  repairLogins: RepairLogins,
): Promise<OpenedForSeat> {
  const attempt = async (): Promise<OpenedForSeat> => {
    const address = login()
    return { address, opened: await logIn(address, options) }
  }
  try {
    return await attempt()
  } catch (error) {
    if (project === 'cluster' || !isLoginRefused(error)) throw error
    if (!(await repairLogins(project))) throw noDatabaseError(project)
    return await attempt()
  }
}
