// The ready line of `tenantry start --json` and the answer of GET /_emulator/v1/info: where everything is and with which
// keys. Secrets are included because they are invented here.

export interface ReadyUser {
  readonly email: string
  readonly password: string
}

export interface ReadyTenant {
  readonly id: string
  readonly slug: string
  readonly schema_name: string
  readonly project_id: string
  readonly anon_key: string
  readonly service_role_key: string
  readonly management_key: string
  /** The tenant's owner on the Postgres port, password included; `null` while none is listening. */
  readonly postgres_url: string | null
  /** Only users whose password a fixture states. */
  readonly users: readonly ReadyUser[]
}

export interface ReadyGroup {
  readonly id: string
  readonly name: string
  readonly group_api_key: string
  readonly template_project_id: string
  readonly tenants: readonly ReadyTenant[]
}

export interface ReadyLine {
  readonly auth_url: string
  readonly data_url: string
  readonly storage_url: string
  readonly realtime_url: string
  readonly inspector_url: string
  /** The Postgres port without anybody's credentials. */
  readonly postgres_url: string | null
  readonly data_dir: string | null
  readonly platform: {
    readonly email: string
    readonly password: string
    readonly session_token: string
  }
  readonly groups: readonly ReadyGroup[]
}
