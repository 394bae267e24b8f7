// Compiles a plan to one statement: the rows are a common table, and its single result row has the body and everything that the
// response's head needs. So one statement is enough, and the body is never parsed. Pure and total.
import { EMPTY, type Sql, sql, verbatim } from '../../database/sql.ts'
import { type RowsPlan, SOURCE_NAME } from '../plan/plan.ts'
import type { MediaType } from '../request/media-type.ts'
import type { Preferences } from '../request/preferences.ts'
import type { DataSettings } from '../settings.ts'
import { compileBody } from './body.ts'
import { compileCall } from './call.ts'
import { compileCount } from './count.ts'
import { sourceName } from './fragments.ts'
import { compileMutate, locationOf } from './mutate.ts'
import { compileRead } from './read.ts'

/** Columns of the main statement's single row. */
export const COLUMN = {
  total: 0,
  pageTotal: 1,
  location: 2,
  body: 3,
  responseHeaders: 4,
  responseStatus: 5,
  inserted: 6,
} as const

export interface CompiledPlan {
  /** Runs before the main statement. */
  readonly preRequest: Sql | undefined
  readonly main: Sql
  /** Gives the planner's estimate of the number of rows. */
  readonly explainCount: Sql | undefined
}

export function compilePlan(
  plan: RowsPlan,
  preferences: Preferences,
  settings: DataSettings,
): CompiledPlan {
  const main = compileMain(plan, preferences, settings)
  const { count } = preferences
  const isEstimating = plan.kind === 'read' && (count === 'planned' || count === 'estimated')
  return {
    preRequest: preRequestOf(settings),
    main: explained(plan.media, main),
    explainCount: isEstimating ? sql`explain (format json) ${compileCount(plan.read)}` : undefined,
  }
}

/** The call of the pre-request function. */
export function preRequestOf({ preRequest }: DataSettings): Sql | undefined {
  return preRequest && sql`select ${sourceName(preRequest)}()`
}

function compileMain(plan: RowsPlan, preferences: Preferences, settings: DataSettings): Sql {
  switch (plan.kind) {
    case 'read': {
      const count = countOf(plan, preferences, settings)
      return statement(plan, compileRead(plan.read), { ...count, rows: ROWS })
    }
    case 'mutate':
      return compileWrite(plan, preferences)
    case 'call': {
      const count = countOf(plan, preferences, settings)
      return statement(plan, compileCall(plan.call), {
        ...count,
        rows: compileRead(plan.read),
        ...(plan.routine.returns.isSet ? {} : { pageTotal: sql`1` }),
      })
    }
    default:
      return plan satisfies never
  }
}

const ROWS = sql`select * from pgrst_source`

function compileWrite(plan: Extract<RowsPlan, { kind: 'mutate' }>, preferences: Preferences): Sql {
  const { mutate } = plan
  const isInsert = mutate.kind === 'insert'
  const isUpsert =
    isInsert && (mutate.conditions.length > 0 || preferences.resolution === 'merge-duplicates')
  const isLocated = isInsert && preferences.representation === 'headers-only'
  return statement(plan, compileMutate(mutate), {
    // Selected columns may not be readable; they are only read for the body.
    rows: plan.handler.kind === 'none' ? ROWS : compileRead(plan.read),
    ...(isLocated && mutate.keyColumns.length > 0
      ? { location: locationOf(mutate.keyColumns) }
      : {}),
    ...(isUpsert ? { inserted: setting('pgrst.inserted') } : {}),
  })
}

interface Parts {
  readonly rows: Sql
  readonly countSource?: Sql
  readonly total?: Sql
  readonly pageTotal?: Sql
  readonly location?: Sql
  readonly inserted?: Sql
}

function statement(plan: RowsPlan, source: Sql, parts: Parts): Sql {
  const routine = plan.kind === 'call' ? plan.routine : undefined
  return sql`with ${verbatim(SOURCE_NAME)} as (
${source}
)${parts.countSource ?? EMPTY}
select ${parts.total ?? sql`null::bigint`} as total,
${parts.pageTotal ?? sql`pg_catalog.count(_postgrest_t)`} as page_total,
${parts.location ?? sql`null::text`} as location,
${compileBody(plan.handler, routine)} as body,
${setting('response.headers')} as response_headers,
${setting('response.status')} as response_status,
${parts.inserted ?? sql`null::text`} as inserted
from (
${parts.rows}
) _postgrest_t`
}

function countOf(
  plan: RowsPlan,
  { count }: Preferences,
  { maxRows }: DataSettings,
): Pick<Parts, 'countSource' | 'total'> {
  if (count !== 'exact' && count !== 'estimated') return {}
  // One row beyond the limit shows that there are more.
  const isBounded = plan.kind === 'read' && count === 'estimated' && maxRows !== undefined
  const bound = isBounded ? sql` limit ${verbatim(String(maxRows + 1))}` : EMPTY
  return {
    countSource: sql`, pgrst_source_count as (${compileCount(plan.read)}${bound})`,
    total: sql`(select pg_catalog.count(*) from pgrst_source_count)`,
  }
}

// A setting that was set in a session is empty afterwards, not null.
function setting(name: 'response.headers' | 'response.status' | 'pgrst.inserted'): Sql {
  return sql`nullif(current_setting(${verbatim(`'${name}'`)}, true), '')`
}

function explained(media: MediaType, main: Sql): Sql {
  if (media.kind !== 'plan') return main
  const options = [`format ${media.format}`, ...media.options].join(', ')
  return sql`explain (${verbatim(options)}) ${main}`
}
