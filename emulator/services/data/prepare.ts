// First half of the pipeline: parses, plans and compiles a request. If the shape memory has a request of the same shape, all
// three steps are skipped.
import { planRequest } from './plan/plan-request.ts'
import type { ApiRequest } from './request/api-request.ts'
import { type ChosenSchema, parseRequest, type RawRequest } from './request/parse-request.ts'
import type { Preferences } from './request/preferences.ts'
import { shapeOf, withMarkedBody } from './request-shape.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import type { DataSettings } from './settings.ts'
import { type Prepared, shapeMemoryOf } from './shape-memory.ts'
import { compilePlan } from './sql/compile-plan.ts'

export interface UnpreparedRequest {
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
