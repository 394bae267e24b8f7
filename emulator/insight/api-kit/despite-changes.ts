// Repeats work whose tables changed between its statements.
import { SqlError } from '../../database/engine.ts'
import { InspectorError } from './errors.ts'

const TRIES = 3
/** SQLSTATEs of objects that were dropped or altered: undefined table, column, object and function, and a failed look-up. */
const CHANGED: ReadonlySet<string> = new Set(['42P01', '42703', '42704', '42883', 'XX000'])

/**
 * Repeats work that reads a structure and then uses it, when the structure changed in between, e.g. by a migration.
 * @param what the table or project, for the message
 * @throws {InspectorError} `conflict` when the structure keeps changing
 */
export async function despiteChanges<Answer>(
  what: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1)
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof SqlError && CHANGED.has(error.code))) throw error
      if (tries === TRIES)
        throw new InspectorError(
          'conflict',
          `The structure of ${what} changed meanwhile: ${error.message}`,
          { hint: 'Repeat the request.' },
        )
    }
}
