// Creates the refusals of the data plane: PostgREST's codes, and the most frequent SQLSTATEs (docs/wire/data-plane.md#gate).

import { SqlError } from '../../../database/engine.ts'
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import { bearerOf } from '../../../platform/credentials/verify.ts'
import { DataError } from '../../../services/data/errors.ts'
import { RefusedByDatabase, refusalFromSql } from '../../../services/data/from-sql-error.ts'
import { DATA_REFUSALS } from '../../../services/data/refusals.ts'
import { SQL_REFUSALS } from '../../../services/data/sql-states.ts'
import { type ErrorSource, errorSource, joined } from './error-source.ts'

const OWN = errorSource(
  DATA_REFUSALS,
  (code, { cause, remedy }) => new DataError(code, cause, { hint: remedy }),
)

const INJECTED = Object.entries(SQL_REFUSALS).filter(([, { example }]) => example !== undefined)

const SQL = errorSource(Object.fromEntries(INJECTED), (code, { example = '' }, { headers }) => {
  const error = new SqlError(code, example)
  const isAnonymous = readClaims(bearerOf(headers.get('authorization')))?.['role'] === 'anon'
  return new RefusedByDatabase(refusalFromSql(error, isAnonymous), error)
})

export const DATA_ERRORS: ErrorSource = joined(SQL, OWN)
