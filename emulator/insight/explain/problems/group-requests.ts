// Groups failed, slow and injected requests of the journal by their cause. Pure.
import type { Problem } from '../../../contract/home.ts'
import { requestRoute } from '../../../contract/request-route.ts'
import type { EpochMillis } from '../../../core/time.ts'
import type { FailedRows, SentTo, SlowRow } from '../../journal/cause-rows.ts'
import { adviceFor } from '../requests/advice-for.ts'

/** Requests with the same cause, which one change can remove. */
export interface RequestCause {
  readonly key: string
  readonly kind: Extract<Problem['kind'], 'failure' | 'refusal' | 'slow' | 'fault'>
  /** `null` when requests of several projects have the same cause. */
  readonly schemaName: string | null
  /** All projects of the requests. */
  readonly schemaNames: readonly string[]
  readonly isSchemaClaimed: boolean
  readonly service: string
  /** The route; `undefined` when requests to several routes have the same cause. */
  readonly where: string | undefined
  /** Keys of all routes of the requests (`routeKey`). */
  readonly routes: readonly string[]
  /** True when the route does not matter, because the credential or the project was refused. */
  readonly isOfAllRoutes: boolean
  readonly status: number | null
  readonly code: string | null
  readonly fault: string | null
  readonly count: number
  readonly firstAt: EpochMillis
  readonly lastAt: EpochMillis
  /** Sequence number of the request that explains the cause: the newest, or the slowest one. */
  readonly sequence: number
  readonly slowestMillis: number | null
}

/** Checks of the credential and the project. When one of them fails, the route does not matter. */
const OF_ALL_ROUTES: ReadonlySet<string> = new Set([
  'credential',
  'project',
  'role',
  'claims',
  'group',
  'quota',
])

/** @param wasInjected whether the fault of a row decided the answer of its requests */
export function groupFailed(
  rows: readonly FailedRows[],
  wasInjected: (row: FailedRows) => boolean,
): readonly RequestCause[] {
  return joined(rows.flatMap((row) => causeOf(row, wasInjected(row))))
}

function causeOf(row: FailedRows, isInjected: boolean): readonly RequestCause[] {
  // A fault that only delayed a refused request did not refuse it.
  if (row.fault !== null && (isInjected || row.status < 400)) {
    const kind = 'fault'
    return [{ ...shared(row), kind, key: keyOf([kind, row.fault]), isOfAllRoutes: false }]
  }
  const kind = row.is_own_failure === 1 ? 'failure' : 'refusal'
  const isOfAll = isOfAllRoutes(row)
  const { error_code: code, is_by_policy: isByPolicy, schema_name: schema, service, status } = row
  const differs = isOfAll ? row.credential_message : placeOf(row)
  const key = keyOf([kind, schema, service, status, code, isByPolicy, isOfAll, differs])
  return [{ ...shared(row), kind, key, isOfAllRoutes: isOfAll, fault: null }]
}

function shared(row: FailedRows) {
  return {
    schemaName: row.schema_name,
    schemaNames: namesOf(row),
    isSchemaClaimed: row.schema_is_claimed === 1,
    service: row.service,
    where: placeOf(row),
    routes: [routeKey(row)],
    status: row.status,
    code: row.error_code,
    fault: row.fault,
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    sequence: row.last_sequence,
    slowestMillis: null,
  }
}

function placeOf({ method, path, service }: SentTo): string {
  return requestRoute({ method, service, target: path })
}

function isOfAllRoutes({ error_code: code, path, service, status }: FailedRows): boolean {
  if (code === null) return false
  return OF_ALL_ROUTES.has(adviceFor({ service, path, status, code, message: '' })?.link ?? '')
}

export function groupSlow(rows: readonly SlowRow[]): readonly RequestCause[] {
  return joined(
    rows.map((row) => {
      const where = placeOf(row)
      return {
        // A slow management route has the same cause for all tenants, so the key leaves out the tenant.
        key: keyOf([
          'slow',
          row.service === 'control' ? null : row.schema_name,
          row.service,
          where,
        ]),
        kind: 'slow',
        schemaName: row.schema_name,
        schemaNames: namesOf(row),
        isSchemaClaimed: false,
        service: row.service,
        where,
        routes: [routeKey(row)],
        isOfAllRoutes: false,
        status: null,
        code: null,
        fault: null,
        count: 1,
        firstAt: row.arrived_at,
        lastAt: row.arrived_at,
        sequence: row.sequence,
        slowestMillis: row.duration_ms,
      }
    }),
  )
}

function namesOf({ schema_name: name }: Pick<SentTo, 'schema_name'>): readonly string[] {
  return name === null ? [] : [name]
}

/** Identifies the route of a project, so that a later success can be compared with a problem. */
export function routeKey(row: SentTo): string {
  return keyOf([row.schema_name, row.service, placeOf(row)])
}

function keyOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts)
}

/** Joins causes with the same key. The texts are those of the request that explains the cause. */
function joined(causes: readonly RequestCause[]): readonly RequestCause[] {
  const groups = Map.groupBy(causes, ({ key }) => key)
  return [...groups.values()].map((group) => ({
    ...group.reduce(join),
    routes: [...new Set(group.flatMap(({ routes }) => routes))],
  }))
}

function join(one: RequestCause, other: RequestCause): RequestCause {
  return {
    ...(explains(other, one) ? other : one),
    schemaName: one.schemaName === other.schemaName ? one.schemaName : null,
    schemaNames: [...new Set([...one.schemaNames, ...other.schemaNames])],
    where: one.where === other.where ? one.where : undefined,
    count: one.count + other.count,
    firstAt: one.firstAt < other.firstAt ? one.firstAt : other.firstAt,
    lastAt: one.lastAt > other.lastAt ? one.lastAt : other.lastAt,
  }
}

function explains(one: RequestCause, other: RequestCause): boolean {
  return one.slowestMillis === null || other.slowestMillis === null
    ? one.sequence > other.sequence
    : one.slowestMillis > other.slowestMillis
}
