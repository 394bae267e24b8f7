// Answers an admitted request in three steps: prepare (parse, plan, compile; or take the result from the shape memory), execute,
// render (docs/architecture.md, "REST read").

import type { HeaderReader } from '../../core/headers.ts'
import type { Answer } from '../../core/plain-http.ts'
import type { Engine } from '../../database/engine.ts'
import { execute } from './execute.ts'
import { describeSchema } from './open-api/describe-schema.ts'
import { type PastReads, readerOf } from './past-reads.ts'
import { planRequest } from './plan/plan-request.ts'
import type { ApiRequest, DataRequest, Parsable, Stage } from './request/api-request.ts'
import { parseRequest } from './request/parse-request.ts'
import { type Preferences, parsePreferences } from './request/preferences.ts'
import { renderInfo, renderResponse } from './response/render-response.ts'
import type { SchemaCaches } from './schema-cache/cache.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import type { DataSettings } from './settings.ts'
import { type Prepared, shapeMemoryOf, shapeOf, withMarkedBody } from './shape-memory.ts'
import { compilePlan } from './sql/compile-plan.ts'

export interface Pipeline {
  readonly engine: Engine
  readonly caches: SchemaCaches
  /** Absent: the emulator records no changes of rows. */
  readonly past?: PastReads | undefined
}

/** @throws {DataError | RefusedByDatabase} */
export async function answer(
  { caches, engine, past }: Pipeline,
  request: DataRequest,
): Promise<Answer> {
  const { settings, facts, onStage } = request
  const cache = await caches.of(settings)
  const prepared = await prepare(cache, request, () =>
    preferencesOf(caches, request.headers, settings),
  )
  onStage?.('plan')
  if (prepared.compiled === undefined) {
    const { request: parsed, plan } = prepared
    return plan.kind === 'describeSchema'
      ? describeSchema(engine, request, parsed, cache, plan.isHead)
      : renderInfo(plan)
  }
  const { main } = prepared.compiled
  facts.statement = main.text
  // A body may contain secrets, which must not reach the disk. The values of other requests are in their address.
  if (prepared.request.payload === undefined) facts.parameters = main.params
  const reader = readerOf(engine, past, request, prepared.plan)
  const executed = execute(reader, request, prepared)
  const result = await (onStage === undefined ? executed : timed(executed, onStage))
  facts.rowCount = result.pageTotal
  const response = renderResponse(prepared.request, prepared.plan, result)
  onStage?.('response')
  return response
}

// Reports the duration of a statement, also when Postgres refused the statement.
async function timed<Result>(
  executed: Promise<Result>,
  onStage: (stage: Stage) => void,
): Promise<Result> {
  try {
    return await executed
  } finally {
    onStage('transaction')
  }
}

// Loads the list of time zones from Postgres only when the header `Prefer` names a time zone.
async function preferencesOf(
  caches: SchemaCaches,
  headers: HeaderReader,
  settings: DataSettings,
): Promise<Preferences> {
  const header = headers.get('prefer')
  const zones = header?.includes('timezone=') === true ? await caches.timeZones() : undefined
  return parsePreferences(header, {
    mayEndTransaction: settings.txAllowOverride,
    isTimeZone: (name) => zones?.has(name) === true,
  })
}

/**
 * First half of the pipeline: parses, plans and compiles a request. If the shape memory has a request of the same shape, all
 * three steps are skipped.
 * @param readPreferences called only when the shape memory has no request of this shape
 * @throws {DataError}
 */
export async function prepare(
  cache: SchemaCache,
  request: Parsable & Pick<DataRequest, 'onStage'>,
  readPreferences: () => Promise<Preferences>,
): Promise<Prepared> {
  const { settings } = request
  const memory = shapeMemoryOf(cache, settings)
  const shape = shapeOf(request)
  const known = shape && memory.recall(shape, request.body)
  if (known !== undefined) return known
  const preferences = await readPreferences()
  const parsed = parseRequest(request, preferences)
  request.onStage?.('parse')
  const prepared = planAndCompile(cache, parsed, settings)
  if (shape !== undefined && prepared.compiled !== undefined)
    memory.learn(shape, prepared, (search) => {
      const marked = parseRequest({ ...request, search }, preferences)
      return planAndCompile(cache, withMarkedBody(marked, shape), settings)
    })
  return prepared
}

/** @throws {DataError} */
export function planAndCompile(
  cache: SchemaCache,
  request: ApiRequest,
  settings: DataSettings,
): Prepared {
  const plan = planRequest(cache, request, settings)
  if (!('read' in plan)) return { request, plan, compiled: undefined }
  return { request, plan, compiled: compilePlan(plan, request.preferences, settings) }
}
