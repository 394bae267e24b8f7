// A project: a schema with a plan tier and a key version. Every tenant has a project, and every template is one.
import type { OwnerId, ProjectId, SchemaName, Slug } from '../core/names.ts'
import type { EpochMillis } from '../core/time.ts'

export type PlanTier = 'free' | 'site' | 'pro' | 'scale'

/**
 * `reserved`: the slug is taken while the schema is being built; removed at the next start if the process died meanwhile.
 * `deleted`: offline, data kept. `purging`: being erased. `purged`: erased, the slug stays taken forever.
 */
export type ProjectState = 'reserved' | 'active' | 'deleted' | 'purging' | 'purged'

/** What the project is for. A `source` is a project whose schema is published into templates. */
export type ProjectKind = 'project' | 'template' | 'tenant'

/** A switch of a project. Simulates a documented response of the hosted platform that does not occur locally. */
export type ProjectSwitch =
  | 'template_deleted' /* provision: 409 template_indisponivel, case 1 */
  | 'template_dedicated_misaligned' /* provision: 409 template_indisponivel, case 2 */
  | 'source_out_of_sync' /* publish: 409 fonte_indisponivel */
  | 'clone_incomplete' /* publish: 500 clone_incompleto; the created template is left unusable */
  | 'purge_pending' /* purge: 202 pendente, finishes by itself after a few minutes of platform time */
  | 'provision_fails' /* provision: 500 without code, everything undone */
  | 'storage_over_quota' /* storage token: 402 storage_quota_exceeded while the project is on the free plan */

export interface Project {
  readonly id: ProjectId
  readonly slug: Slug
  readonly schemaName: SchemaName
  readonly name: string
  readonly kind: ProjectKind
  readonly state: ProjectState
  readonly planTier: PlanTier
  /** `kv` of the project's keys. Regenerating raises it, and older keys are refused. */
  readonly keyVersion: number
  /** `undefined` for tenants, which belong to their group's owner. */
  readonly ownerId: OwnerId | undefined
  /** The project a template was frozen from. */
  readonly sourceProjectId: ProjectId | undefined
  /** Set on templates: when they were frozen. */
  readonly frozenAt: EpochMillis | undefined
  readonly createdAt: EpochMillis
}

/** The part of the registry that verifying credentials needs. */
export interface ProjectLookup {
  /** Finds a project in any state, including `purged`. */
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
