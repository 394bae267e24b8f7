// Finds the notices of GRANT and REVOKE on all objects of a schema (cluster/shared/32-grants-on-all.sql). Pure.
import type { Notice } from '../../../database/engine.ts'
import type { SqlAdvice } from './sql-outcome.ts'

// The message of privilege_not_granted or privilege_not_revoked, such as "GRANT left out 8 tables of the platform".
const SQL_STATES = new Set(['01007', '01006'])
const MESSAGE = /^(GRANT|REVOKE) left out (\d+ \w+) of the platform$/

/** Returns one advice for each statement that skipped objects of the platform. Its subject is their number and kind. */
export function leftOutAdvice(notices: readonly Notice[]): readonly SqlAdvice[] {
  return notices.flatMap(({ message, sqlState }) => {
    const [, command, subject] = (SQL_STATES.has(sqlState) && MESSAGE.exec(message)) || []
    if (command === undefined || subject === undefined) return []
    return [
      {
        kind: 'platformLeftOut' as const,
        subject,
        message: `${message}. The project’s own objects were changed.`,
        remedy: `Nothing to do. To avoid this advice, name the objects: ${command} … ON notes.`,
      },
    ]
  })
}
