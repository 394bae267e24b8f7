// Converts an error of Postgres to an error of the emulator's own API, with message, SQLSTATE and hint.

import { defined } from '../../../core/defined.ts'
import { shortened } from '../../../core/printable.ts'
import { SqlError } from '../../../database/engine.ts'
import { InspectorError, type InspectorErrorFacts } from '../../api-kit/errors.ts'

/** Waits for the work, and converts errors of Postgres. @throws {InspectorError} */
export async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof SqlError ? refusalOf(error) : error
  }
}

/** The value that Postgres could not convert to its column's type. */
export interface BadValue {
  /** The value's path in the request, such as `edits.0.price`, with which the message begins. */
  readonly place: string
  readonly column: string
}

export function refusalOf(error: SqlError, bad?: BadValue): InspectorError {
  const facts = factsOf(error, bad?.column)
  const message = (bad === undefined ? '' : `${bad.place}: `) + sentence(error.message)
  switch (error.code) {
    case '42501':
      return new InspectorError('not_allowed', message, {
        ...facts,
        hint: error.hint ?? 'POST …/explain shows the grant or policy that refuses it.',
      })
    case '57014':
      return new InspectorError(
        'cancelled',
        error.hint === undefined ? 'The database did not finish the statement in time.' : message,
        { hint: 'Request fewer rows, or filter by an indexed column.', ...facts },
      )
    case '53300':
      return new InspectorError('busy', message, facts)
    case '57P03':
      return new InspectorError('database_down', message, facts)
    case '57P02':
      return new InspectorError('database_restarted', message, { ...facts, hint: 'Try again.' })
  }
  return new InspectorError('sql_refused', message, facts)
}

function factsOf(error: SqlError, badColumn: string | undefined): InspectorErrorFacts {
  const { column = badColumn, constraint, table } = error.facts
  const { code, details, hint } = error
  const fields = defined({ sql_state: code, details, table, column, constraint })
  return defined({ cause: error, hint, fields })
}

/** Maximum length of a message in characters. Messages of Postgres can quote whole values. */
const MAX_MESSAGE = 500

function sentence(text: string): string {
  const message = shortened(text, MAX_MESSAGE)
  return /[.!?…]$/.test(message) ? message : `${message}.`
}
