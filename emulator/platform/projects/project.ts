// A project: a schema with a plan tier and a key version. Every tenant has a project, and every template is one.

import type { OwnerId, ProjectId, SchemaName, Slug } from '../../core/names.ts'
import type { PlanTier } from '../../core/plan-tiers.ts'
import type { EpochMillis } from '../../core/time.ts'

/**
 * `reserved` means that the schema is being built. The next start removes reserved projects of a process that died. `deleted`
 * means offline with all data. `purging` means that the data is being erased. `purged` means that only the slug remains, which
 * stays taken forever.
 */
export type ProjectState = 'reserved' | 'active' | 'deleted' | 'purging' | 'purged'

/** What the project is for. A `source` is a project whose schema is published into templates. */
export type ProjectKind = 'project' | 'template' | 'tenant'

/** A switch of a project simulates a documented response of the hosted platform that does not occur locally. */
export type ProjectSwitch =
  | 'template_deleted' // Provisioning returns 409 template_indisponivel, because the template was deleted.
  | 'template_dedicated_misaligned' // Provisioning returns 409 template_indisponivel for a dedicated database.
  | 'source_out_of_sync' // Publishing returns 409 fonte_indisponivel.
  | 'clone_incomplete' // Publishing returns 500 clone_incompleto and leaves an unusable template.
  | 'purge_pending' // Purging returns 202 pendente and ends after a few minutes of platform time.
  | 'provision_fails' // Provisioning returns 500 and undoes all steps.
  | 'storage_over_quota' // A storage token is refused with 402 storage_quota_exceeded on the free plan.

export interface Project {
  readonly id: ProjectId
  readonly slug: Slug
  readonly schemaName: SchemaName
  readonly name: string
  readonly kind: ProjectKind
  readonly state: ProjectState
  readonly planTier: PlanTier
  /** `kv` of the project's keys. Regenerating the keys raises this number, and keys with a lower number are refused. */
  readonly keyVersion: number
  /** `undefined` for tenants, which belong to their group's owner. */
  readonly ownerId: OwnerId | undefined
  /** The project that a template was frozen from. */
  readonly sourceProjectId: ProjectId | undefined
  /** When a template was frozen; `undefined` for other projects. */
  readonly frozenAt: EpochMillis | undefined
  readonly createdAt: EpochMillis
}

/** The part of the registry that verifying credentials needs. */
export interface ProjectLookup {
  /** Finds the project with this id in any state, including `purged`. */
  findProject(id: ProjectId): Project | undefined
  findProjectBySchema(schemaName: SchemaName): Project | undefined
}

const TRANSITIONS: Readonly<Record<ProjectState, readonly ProjectState[]>> = {
  reserved: ['active'],
  active: ['deleted', 'purging', 'purged'],
  deleted: ['purging', 'purged'],
  purging: ['purged'],
  purged: [],
}

/** Whether the lifecycle allows the transition (docs/wire/platform.md#lifecycle). */
export function mayBecome(from: ProjectState, to: ProjectState): boolean {
  return TRANSITIONS[from].includes(to)
}
