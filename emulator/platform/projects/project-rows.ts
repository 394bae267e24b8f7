// Maps projects to rows of the registry's table and back.

import { type SchemaName, schemaNameOf, slugOf, trusted } from '../../core/names.ts'
import type { PlanTier } from '../../core/plan-tiers.ts'
import { epochMillis } from '../../core/time.ts'
import type { Project, ProjectKind, ProjectState } from './project.ts'

/** One row of `projects`. The table's checks restrict `kind`, `state` and `plan_tier` to their unions. */
export interface ProjectRow {
  readonly seq: number
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly kind: ProjectKind
  readonly state: ProjectState
  readonly plan_tier: PlanTier
  readonly key_version: number
  readonly owner_id: string | null
  readonly source_project_id: string | null
  readonly frozen_at: number | null
  readonly is_usable: number
  readonly created_at: number
}

export function projectOf(row: ProjectRow): Project {
  const slug = trusted.slug(row.slug)
  return {
    id: trusted.projectId(row.id),
    slug,
    schemaName: schemaNameOf(slug),
    name: row.name,
    kind: row.kind,
    state: row.state,
    planTier: row.plan_tier,
    keyVersion: row.key_version,
    ownerId: row.owner_id === null ? undefined : trusted.ownerId(row.owner_id),
    sourceProjectId:
      row.source_project_id === null ? undefined : trusted.projectId(row.source_project_id),
    frozenAt: row.frozen_at === null ? undefined : epochMillis(row.frozen_at),
    createdAt: epochMillis(row.created_at),
  }
}

/** Returns the slug of a schema's project. Returns a slug that cannot exist for text that is not a schema name. */
export function registeredSlugOf(schemaName: SchemaName): string {
  return schemaName.startsWith('proj_') ? slugOf(schemaName) : ''
}
