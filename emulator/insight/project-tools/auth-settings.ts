// Serves a project's auth settings below /_emulator/v1, and converts the settings for fixtures (contract/auth-settings.ts).
import type { Hono } from 'hono'
import type { z } from 'zod'
import {
  AUTH_SETTINGS_OPERATIONS,
  type AuthSettingsChange,
  type AuthSettingsState,
  type AuthSettingsWire,
} from '../../contract/auth-settings.ts'
import type { Project } from '../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type {
  AuthSettings,
  AuthSettingsChanges,
  KeptAuthSettings,
  OwnAuthSettings,
} from '../../services/auth/auth-settings.ts'
import { findProject } from '../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../api-kit/mount.ts'

interface AuthSettingsDeps {
  readonly authSettings: KeptAuthSettings
  readonly projects: ProjectRegistry
}

export function mountAuthSettings(
  app: Hono<Bindings>,
  { authSettings, projects }: AuthSettingsDeps,
): void {
  mountOnProject(app, AUTH_SETTINGS_OPERATIONS, (reference) => findProject(projects, reference), {
    'GET /projects/:ref/auth-settings': ({ project }) => stateOf(authSettings, project),
    'PATCH /projects/:ref/auth-settings': ({ project, body }) => {
      authSettings.change(project.id, changesOf(body))
      return stateOf(authSettings, project)
    },
  })
}

const DOMAIN_NAMES = {
  confirm_email: 'confirmEmail',
  signup_closed: 'signupClosed',
  password_min_length: 'passwordMinLength',
  redirect_urls: 'redirectUrls',
  providers: 'providers',
  whatsapp: 'whatsapp',
  sms: 'sms',
} as const satisfies Record<keyof AuthSettingsWire, keyof AuthSettings>

const WIRE_NAMES = Object.keys(DOMAIN_NAMES) as (keyof AuthSettingsWire)[]

/** Converts wire names to the names of the store, and `null` to `undefined`. */
export function changesOf(
  wire: {
    readonly [Name in keyof AuthSettingsChange]?: AuthSettingsChange[Name] | undefined
  },
): AuthSettingsChanges {
  return Object.fromEntries(
    WIRE_NAMES.filter((name) => wire[name] !== undefined).map((name) => [
      DOMAIN_NAMES[name],
      wire[name] ?? undefined,
    ]),
  )
}

/** The settings that a project overrides, with their wire names. */
export function wireSettings(own: OwnAuthSettings): Partial<z.output<typeof AuthSettingsWire>> {
  return Object.fromEntries(
    WIRE_NAMES.filter((name) => own[DOMAIN_NAMES[name]] !== undefined).map((name) => [
      name,
      own[DOMAIN_NAMES[name]],
    ]),
  )
}

function stateOf(store: KeptAuthSettings, project: Project): AuthSettingsState {
  const settings = store.settingsOf(project.id)
  const own = store.ownSettingsOf(project.id)
  return {
    project_id: project.id,
    schema_name: project.schemaName,
    settings: {
      confirm_email: settings.confirmEmail,
      signup_closed: settings.signupClosed,
      password_min_length: settings.passwordMinLength,
      redirect_urls: settings.redirectUrls,
      providers: settings.providers,
      whatsapp: settings.whatsapp,
      sms: settings.sms,
    },
    own: WIRE_NAMES.filter((name) => own[DOMAIN_NAMES[name]] !== undefined),
  }
}
