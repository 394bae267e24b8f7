// How a project's end users may sign in: set over the emulator's API and by fixtures, kept per project
// (docs/wire/auth.md#signin).

import { isJsonObject, parseJson } from '../core/json.ts'
import type { ProjectId } from '../core/names.ts'
import type { SystemDb } from '../database/system-db/system-db.ts'
import type { MigrationSet } from '../database/system-db/system-schema.ts'

/** The social providers. */
export const PROVIDERS = ['google', 'github', 'apple'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** What a channel does in place of sending. E-mail cannot fail. */
export type ChannelState = 'works' | 'not_configured' | 'send_failed'

export interface AuthSettings {
  /** A sign-up gives no session before the address was confirmed. */
  readonly confirmEmail: boolean
  /** Only existing users sign in: no sign-up, no new users by code, link or provider. */
  readonly signupClosed: boolean
  /** Characters. */
  readonly passwordMinLength: number
  /** Addresses that links and sign-ins may return to, compared exactly; loopback of any port is allowed beside them. */
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

/** The settings of every project. */
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

/** What a project has set itself. */
export type OwnAuthSettings = Partial<AuthSettings>

/** Absent members stay as they are, `undefined` takes the project's own setting away. */
export type AuthSettingsChanges = {
  readonly [Name in keyof AuthSettings]?: AuthSettings[Name] | undefined
}

export interface KeptAuthSettings extends AuthSettingsStore {
  change(id: ProjectId, changes: AuthSettingsChanges): AuthSettings
  ownSettingsOf(id: ProjectId): OwnAuthSettings
  /** Forgets a purged project's. */
  erase(id: ProjectId): void
}

export interface AuthSettingsDeps {
  /** The project whose settings hold where this one has none of its own. */
  readonly templateOf: (id: ProjectId) => ProjectId | undefined
}

/** A tenant, its frozen template, the project that one was frozen from: more steps mean a circle. */
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
    // Written by `change` alone.
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

  // Every request of end-user authentication asks, and hardly any write changes the answer.
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
