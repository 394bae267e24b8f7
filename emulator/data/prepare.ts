// A parsed request to the plan and the one statement it becomes. Pure.
import type { ActionPlan, RowsPlan } from './plan/plan.ts'
import { planRequest } from './plan/plan-request.ts'
import type { ApiRequest } from './request/api-request.ts'
import type { SchemaCache } from './schema-cache/schema-cache.ts'
import type { DataSettings } from './settings.ts'
import { type CompiledPlan, compilePlan } from './sql/compile-plan.ts'

/** A request that asks for rows, ready to be run. */
export interface PreparedRows {
  readonly request: ApiRequest
  readonly plan: RowsPlan
  readonly compiled: CompiledPlan
}

/** A request ready to be answered; what asks for no rows has no statement. */
export type Prepared =
  | PreparedRows
  | {
      readonly request: ApiRequest
      readonly plan: Exclude<ActionPlan, RowsPlan>
      readonly compiled: undefined
    }

/** Plans and compiles. @throws {DataError} */
export function prepare(cache: SchemaCache, request: ApiRequest, settings: DataSettings): Prepared {
  const plan = planRequest(cache, request, settings)
  if (!('read' in plan)) return { request, plan, compiled: undefined }
  return { request, plan, compiled: compilePlan(plan, request.preferences, settings) }
}
