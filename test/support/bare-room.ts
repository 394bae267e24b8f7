// Runs platform work on a database server without an engine, for tests of databases. Each script has a connection of its own.
import pg from 'pg'
import { SqlError, type StatementResult } from '../../emulator/database/engine.ts'
import { Logins } from '../../emulator/database/postgres/connections/logins.ts'
import type { DatabasesRoom } from '../../emulator/database/postgres/projects/databases-room.ts'
import type { RunningServer } from '../../emulator/database/postgres/server/running-server.ts'

export function bareRoom(server: RunningServer): DatabasesRoom {
  const logins = new Logins(server)
  return {
    server,
    admin: async (where, { text }) => {
      const client = new pg.Client({
        ...logins.ofPlatform(where),
        options: '-c search_path=pg_catalog',
      })
      await client.connect()
      try {
        const answer: unknown = await client.query({ text, rowMode: 'array' })
        return (Array.isArray(answer) ? answer : [answer]).map(toResult)
      } catch (error) {
        throw error instanceof pg.DatabaseError
          ? new SqlError(error.code ?? '', error.message, { hint: error.where })
          : error
      } finally {
        await client.end()
      }
    },
    evict: async () => () => {},
  }
}

function toResult({ command, fields, rows }: pg.QueryArrayResult<unknown[]>): StatementResult {
  return {
    fields: fields.map(({ dataTypeID, name }) => ({ name, typeOid: dataTypeID })),
    rows: rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(String(cell))))),
    commandTag: command,
  }
}
