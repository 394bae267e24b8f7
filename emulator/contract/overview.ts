// GET /_emulator/v1/overview: groups, templates, tenants and how the services are.
// What changes them are the platform's own routes, which the addresses and keys of GET /info open.

export interface PlatformOverview {
  readonly version: string
  readonly data_dir: string | null
  readonly started_at: string
  readonly memory_bytes: number
  readonly engine_heap_bytes: number
  readonly services: readonly ServiceHealth[]
  /** The latest answers of 500 and above, newest first. */
  readonly last_errors: readonly {
    readonly request_id: string
    readonly at: string
    readonly message: string
  }[]
  readonly groups: readonly GroupOverview[]
  /** The owner's own projects that are neither template nor tenant. */
  readonly projects: readonly ProjectOverview[]
}

export interface ServiceHealth {
  readonly service: 'database' | 'rest' | 'auth' | 'storage' | 'realtime' | 'management'
  readonly state: 'well' | 'degraded' | 'down'
  /** Why it is not well, or what it is doing. */
  readonly sentence: string
  readonly facts: Readonly<Record<string, string>>
}

export interface GroupOverview {
  readonly id: string
  readonly name: string
  readonly plan_tier: string
  readonly template: {
    readonly project_id: string
    readonly slug: string
    readonly version: number
  } | null
  readonly tenant_limit: number | null
  readonly keys: readonly {
    readonly id: string
    readonly prefix: string
    readonly created_at: string
    readonly revoked_at: string | null
  }[]
  readonly tenants: readonly ProjectOverview[]
  /** Taken offline, or being erased: their data is there until they are purged. */
  readonly removed_tenants: readonly ProjectOverview[]
}

export interface ProjectOverview {
  readonly id: string
  readonly slug: string
  readonly schema_name: string
  readonly name: string
  readonly kind: 'project' | 'template' | 'tenant'
  readonly state: string
  readonly external_id: string | null
  /** Version of the template it was cloned from, and whether that is the newest. */
  readonly template_version: number | null
  readonly is_current: boolean | null
  readonly key_version: number
  readonly created_at: string
  readonly database_bytes: number | null
  readonly storage_bytes: number
  readonly storage_limit_bytes: number | null
  readonly users: number
  readonly last_request_at: string | null
}
