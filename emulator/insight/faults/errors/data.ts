// Creates the refusals of the data plane: PostgREST's codes, and the most frequent SQLSTATEs (docs/wire/data-plane.md#gate).

import { SqlError } from '../../../database/engine.ts'
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import { bearerOf } from '../../../platform/credentials/verify.ts'
import { DataError, type DataErrorCode, refusalOf } from '../../../services/data/errors.ts'
import { RefusedByDatabase, refusalFromSql } from '../../../services/data/from-sql-error.ts'
import { DATA_ADVICE, dataAdvice } from '../../advice/data.ts'
import { type ErrorSource, factsOf, InjectedError, keyIn, thrown } from './error-source.ts'

/** The message that Postgres sends with each SQLSTATE. */
export const SQL_STATES: Readonly<Record<string, string>> = {
  '22P02': 'invalid input syntax for type uuid: "x"',
  '23502': 'null value in column "name" of relation "t" violates not-null constraint',
  '23503': 'insert or update on table "t" violates foreign key constraint "t_fkey"',
  '23505': 'duplicate key value violates unique constraint "t_pkey"',
  '23514': 'new row for relation "t" violates check constraint "t_check"',
  '25006': 'cannot execute INSERT in a read-only transaction',
  '40001': 'could not serialize access due to concurrent update',
  '40P01': 'deadlock detected',
  '42501': 'new row violates row-level security policy for table "t"',
  '42883': 'function does not exist',
  '42P01': 'relation "t" does not exist',
  '42P17': 'infinite recursion detected in policy for relation "t"',
  '53300': 'sorry, too many clients already',
  '53400': 'configuration limit exceeded',
  '54001': 'stack depth limit exceeded',
  '57014': 'canceling statement due to statement timeout',
  '57P01': 'terminating connection due to administrator command',
  '57P02': 'the database engine was restarted',
  '57P03': 'the database engine does not start',
  P0001: 'an exception was raised',
  '08006': 'connection failure',
}

export const DATA_ERRORS: ErrorSource = {
  codes: {
    ...factsOf(Object.keys(DATA_ADVICE) as DataErrorCode[], (code) => ({
      status: refusalOf(new DataError(code, '')).status,
      sentence: DATA_ADVICE[code].cause,
    })),
    ...factsOf(Object.keys(SQL_STATES), (code) => ({
      status: refusalFromSql(new SqlError(code, SQL_STATES[code] ?? ''), false).status,
      sentence: dataAdvice(code).cause,
    })),
    internal: { status: 500, sentence: 'The data plane failed unexpectedly.' },
  },
  make: (code, { faultId, headers }) => {
    if (code === 'internal') return thrown(new InjectedError(faultId))
    const words = SQL_STATES[code]
    if (words === undefined) return thrown(ownRefusal(keyIn(DATA_ADVICE, code)))
    const error = new SqlError(code, words)
    const isAnonymous = readClaims(bearerOf(headers.get('authorization')))?.['role'] === 'anon'
    return thrown(new RefusedByDatabase(refusalFromSql(error, isAnonymous), error))
  },
}

function ownRefusal(code: DataErrorCode): DataError {
  const { cause, todo } = DATA_ADVICE[code]
  return new DataError(code, cause, { hint: todo })
}
