// Answers an admitted request in three steps: prepare (parse, plan, compile; or take the result from the shape memory), execute,
// render (docs/architecture.md, "REST read").
import type { Answer } from '../../core/answer.ts'
import type { HeaderReader } from '../../core/headers.ts'
import type { RequestFacts } from '../../core/observation.ts'
import type { StopSignal } from '../../core/stop-signal.ts'
import type { Engine } from '../../database/engine.ts'
import { execute } from './execute.ts'
import { describeSchema } from './open-api/describe-schema.ts'
import { planRequest } from './plan/plan-request.ts'
import type { ApiRequest } from './request/api-request.ts'
import { type ChosenSchema, parseRequest, type RawRequest } from './request/parse-request.ts'
import { type Preferences, parsePreferences } from './request/preferences.ts'
import { shapeOf, withMarkedBody } from './request-shape.ts'
import { renderInfo, renderResponse } from './response/render-response.ts'
import type { SchemaCaches } from './schema-cache/cache.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import type { DataActor, DataSettings } from './settings.ts'
import { type Prepared, shapeMemoryOf } from './shape-memory.ts'
import { compilePlan } from './sql/compile-plan.ts'

export interface Pipeline {
  readonly engine: Engine
  readonly caches: SchemaCaches
}

/** A request whose caller, schema and settings are known. */
export interface AdmittedRequest {
  readonly raw: RawRequest
  readonly actor: DataActor
  readonly settings: DataSettings
  readonly chosen: ChosenSchema
  readonly signal: StopSignal | undefined
  readonly facts: RequestFacts
  /** Id that the database records with each row change of the request. */
  readonly requestId?: string | undefined
  /** Called after each stage, for `Server-Timing`. */
  readonly onStage?: (stage: Stage) => void
}

export type Stage = 'parse' | 'plan' | 'transaction' | 'response'

/** @throws {DataError | RefusedByDatabase} */
export async function answer(pipeline: Pipeline, admitted: AdmittedRequest): Promise<Answer> {
  const { raw, actor, settings, signal, facts, requestId, onStage } = admitted
  const { engine, caches } = pipeline
  const cache = await caches.of(settings)
  const { request, plan, compiled } = await prepare(cache, admitted, () =>
    preferencesOf(caches, raw.headers, settings),
  )
  onStage?.('plan')
  const execution = { engine, actor, settings, request, headers: raw.headers, signal, requestId }
  if (plan.kind === 'describeSchema') return describeSchema(execution, cache, plan.isHead)
  if (compiled === undefined) return renderInfo(plan)
  facts.statement = compiled.main.text
  const executed = execute(execution, plan, compiled)
  const result = await (onStage === undefined ? executed : timed(executed, onStage))
  facts.rowCount = result.pageTotal
  const response = renderResponse(request, plan, result)
  onStage?.('response')
  return response
}

// A refused statement took time, too.
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

// First half of the pipeline: parses, plans and compiles a request. If the shape memory has a request of the same shape, all
// three steps are skipped.
interface UnpreparedRequest {
  readonly raw: RawRequest
  readonly chosen: ChosenSchema
  /** All requests of a project must pass the same object, because the shape memory uses this object as its key. */
  readonly settings: DataSettings
  readonly onStage?: (stage: 'parse') => void
}

/**
 * Prepares a request for execution.
 * @param readPreferences called only when the shape memory has no request of this shape
 * @throws {DataError}
 */
export async function prepare(
  cache: SchemaCache,
  { raw, settings, chosen, onStage }: UnpreparedRequest,
  readPreferences: () => Promise<Preferences>,
): Promise<Prepared> {
  const memory = shapeMemoryOf(cache, settings)
  const shape = shapeOf(raw, chosen)
  const known = shape && memory.recall(shape, raw)
  if (known !== undefined) return known
  const preferences = await readPreferences()
  const request = parseRequest(raw, chosen, settings, preferences)
  onStage?.('parse')
  const prepared = planAndCompile(cache, request, settings)
  if (shape !== undefined && prepared.compiled !== undefined)
    memory.learn(shape, prepared, (search) => {
      const marked = parseRequest({ ...raw, search }, chosen, settings, preferences)
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
