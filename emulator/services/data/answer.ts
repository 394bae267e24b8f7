// Answers an admitted request in three steps: prepare (parse, plan, compile; or take the result from the shape memory), execute,
// render (docs/architecture.md, "REST read").
import type { Answer } from '../../core/answer.ts'
import type { HeaderReader } from '../../core/headers.ts'
import type { RequestFacts } from '../../core/observation.ts'
import type { StopSignal } from '../../core/stop-signal.ts'
import type { Engine } from '../../database/engine.ts'
import { execute } from './execute.ts'
import { describeSchema } from './open-api/describe-schema.ts'
import { prepare } from './prepare.ts'
import type { ChosenSchema, RawRequest } from './request/parse-request.ts'
import { type Preferences, parsePreferences } from './request/preferences.ts'
import { renderInfo, renderResponse } from './response/render-response.ts'
import type { SchemaCaches } from './schema-cache/cache.ts'
import type { DataActor, DataSettings } from './settings.ts'

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
