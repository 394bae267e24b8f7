// The logins of the user's programs, such as psql. A login has a password only after the platform has returned its address.
import type { SchemaName } from '../../../core/names.ts'
import { SqlError } from '../../engine.ts'
import { CLIENT_CONNECTIONS, type EngineClients } from '../../engine-clients.ts'
import { identifier, literal, type Sql, sql, verbatim } from '../../sql.ts'
import { databaseOf, loginRoleOf } from '../connections/logins.ts'
import type { RunningServer } from '../server/running-server.ts'
import { type DatabasesRoom, inCluster } from './databases-room.ts'
import { clientVerifier } from './scram-verifier.ts'

const MISSING_ROLE = '42704'

/** @param connections that a login may have open, so that some are left to the platform and to other projects */
export function clientLogins(
  room: DatabasesRoom,
  server: Pick<RunningServer, 'clientAddress' | 'prefix'>,
  connections: number = CLIENT_CONNECTIONS,
): EngineClients {
  const loginOf = (schemaName: SchemaName) => loginRoleOf(server.prefix, schemaName, 'client')
  return {
    get address() {
      return server.clientAddress
    },
    loginOf: (schemaName) => ({
      user: loginOf(schemaName),
      database: databaseOf(server.prefix, schemaName),
    }),
    allow: async (schemaName, password) => {
      const name = loginOf(schemaName)
      const verifier = await clientVerifier(name, password)
      await inCluster(room, [
        sql`alter role ${identifier(name)} login password ${literal(verifier)} connection limit ${verbatim(String(connections))}`,
      ])
    },
    refuse: async (schemaName) => {
      const name = loginOf(schemaName)
      try {
        await inCluster(room, [sql`alter role ${identifier(name)} nologin password null`])
      } catch (error) {
        if (error instanceof SqlError && error.code === MISSING_ROLE) return
        throw error
      }
      await inCluster(room, [endSessions(name)])
    },
  }
}

function endSessions(login: string): Sql {
  return sql`select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where usename = ${literal(login)}`
}
