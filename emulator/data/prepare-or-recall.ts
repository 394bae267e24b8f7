// The first half of the pipeline: parse → plan → compile, or all three from the memory of a request of the same shape.
import { type Prepared, prepare } from './prepare.ts'
import { type ChosenSchema, parseRequest, type RawRequest } from './request/parse-request.ts'
import type { Preferences } from './request/preferences.ts'
import { shapeOf, withMarkedBody } from './request-shape.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import type { DataSettings } from './settings.ts'
import { shapeMemoryOf } from './shape-memory.ts'

export interface UnpreparedRequest {
  readonly raw: RawRequest
  readonly chosen: ChosenSchema
  /** The same value for the same project: the memory hangs on it. */
  readonly settings: DataSettings
  readonly onStage?: (stage: 'parse') => void
}

/**
 * Makes the request ready to be run.
 * @param readPreferences only asked when nothing is remembered
 * @throws {DataError}
 */
export async function prepareOrRecall(
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
  const prepared = prepare(cache, request, settings)
  if (shape !== undefined && prepared.compiled !== undefined)
    memory.learn(shape, prepared, (search) => {
      const marked = parseRequest({ ...raw, search }, chosen, settings, preferences)
      return prepare(cache, withMarkedBody(marked, shape), settings)
    })
  return prepared
}
