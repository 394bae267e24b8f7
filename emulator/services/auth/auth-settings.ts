// Stores each project's settings for end-user sign-in (docs/wire/auth.md#signin). The emulator's API and fixtures change the
// settings.

import { isJsonObject, parseJson } from '../../core/json.ts'
import type { ProjectId } from '../../core/names.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { MigrationSet } from '../../database/system-db/system-schema.ts'

/** The social providers. */
export const PROVIDERS = ['google', 'github', 'apple'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/**
 * Says how the emulator simulates sending a message over a channel. E-mail has no such setting, because sending e-mail always
 * succeeds.
 */
export type ChannelState = 'works' | 'not_configured' | 'send_failed'

export interface AuthSettings {
  /** When true, a sign-up returns no session until the user confirms the e-mail address. */
  readonly confirmEmail: boolean
  /** When true, only existing users can sign in. Sign-up, codes, links and providers create no new users. */
  readonly signupClosed: boolean
  /** Number of characters. */
  readonly passwordMinLength: number
  /**
   * Links and sign-ins may redirect to these addresses, which are compared exactly. Loopback addresses are always allowed, on
   * any port.
   */
  readonly redirectUrls: readonly string[]
  readonly providers: readonly ProviderName[]
  readonly whatsapp: ChannelState
  readonly sms: Exclude<ChannelState, 'send_failed'>
}

export const DEFAULT_AUTH_SETTINGS: AuthSettings = {
  confirmEmail: false,
  signupClosed: false,
  passwordMinLength: 6,
  redirectUrls: [],
  providers: PROVIDERS,
  whatsapp: 'works',
  sms: 'works',
}

/** Reads and changes the settings of projects. */
export interface AuthSettingsStore {
  settingsOf(id: ProjectId): AuthSettings
  change(id: ProjectId, changes: Partial<AuthSettings>): AuthSettings
}

export const AUTH_SETTINGS_MIGRATIONS: MigrationSet = {
  layer: 'auth_settings',
  steps: [
    `
    create table auth_settings (
      project_id text primary key,
      own_settings text not null
    ) strict, without rowid;
    `,
  ],
}

/** The settings that a project overrides. All other settings come from the project's template, or else from the defaults. */
export type OwnAuthSettings = Partial<AuthSettings>

/**
 * Changes to a project's own settings. An absent member changes nothing. The value `undefined` removes the project's own value,
 * so that the inherited value applies.
 */
export type AuthSettingsChanges = {
  readonly [Name in keyof AuthSettings]?: AuthSettings[Name] | undefined
}

export interface KeptAuthSettings extends AuthSettingsStore {
  change(id: ProjectId, changes: AuthSettingsChanges): AuthSettings
  ownSettingsOf(id: ProjectId): OwnAuthSettings
  /** Deletes the settings of a purged project. */
  erase(id: ProjectId): void
}

export interface AuthSettingsDeps {
  /** The project from which this project inherits settings; `undefined` when it inherits from none. */
  readonly templateOf: (id: ProjectId) => ProjectId | undefined
}

/** Limits the chain of inheritance (tenant, template, source project), so that a cycle cannot loop forever. */
const MAX_STEPS = 5

export function createAuthSettingsStore(
  db: SystemDb,
  { templateOf }: AuthSettingsDeps,
): KeptAuthSettings {
  const find = db.prepare<[string], { own_settings: string }>(
    'select own_settings from auth_settings where project_id = ?',
  )
  const keep = db.prepare<[string, string]>(
    `insert into auth_settings (project_id, own_settings) values (?, ?)
     on conflict do update set own_settings = excluded.own_settings`,
  )
  const forget = db.prepare<[string]>('delete from auth_settings where project_id = ?')

  function ownSettingsOf(id: ProjectId): OwnAuthSettings {
    const own = parseJson(find.get(id)?.own_settings ?? '{}')
    // The cast is safe, because only `change` writes this column.
    return isJsonObject(own) ? (own as OwnAuthSettings) : {}
  }

  function workOut(id: ProjectId): AuthSettings {
    let settings: OwnAuthSettings = {}
    let project: ProjectId | undefined = id
    for (let step = 0; project !== undefined && step < MAX_STEPS; step += 1) {
      settings = { ...ownSettingsOf(project), ...settings }
      project = templateOf(project)
    }
    return { ...DEFAULT_AUTH_SETTINGS, ...settings }
  }

  // Settings are cached, because every auth request reads them. Any write to the database clears the cache.
  const known = new Map<ProjectId, AuthSettings>()
  let revision = db.revision

  function settingsOf(id: ProjectId): AuthSettings {
    if (revision !== db.revision) known.clear()
    revision = db.revision
    const settings = known.get(id) ?? workOut(id)
    known.set(id, settings)
    return settings
  }

  return {
    settingsOf,
    ownSettingsOf,
    change: (id, changes) => {
      if (Object.keys(changes).length === 0) return settingsOf(id)
      keep.run(id, JSON.stringify({ ...ownSettingsOf(id), ...changes }))
      return settingsOf(id)
    },
    erase: (id) => {
      forget.run(id)
    },
  }
}
