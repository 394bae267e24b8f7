// A project's auth settings over /_emulator/v1 and in fixtures: one shape with snake_case names for both
// (contract/auth-settings.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeBody, findProject } from '../api-kit/decode.ts'
import type {
  AuthSettings,
  AuthSettingsChanges,
  KeptAuthSettings,
  OwnAuthSettings,
} from '../auth/auth-settings.ts'
import type { AuthSettingsState, AuthSettingsWire } from '../contract/auth-settings.ts'
import type { Project } from '../projects/project.ts'
import type { ProjectRegistry } from '../projects/registry.ts'

interface AuthSettingsDeps {
  readonly authSettings: KeptAuthSettings
  readonly projects: ProjectRegistry
}

export function mountAuthSettings(app: Hono<Bindings>, deps: AuthSettingsDeps): void {
  app.get('/projects/:ref/auth-settings', (c) =>
    c.json(stateOf(deps.authSettings, findProject(deps.projects, c.req.param('ref')))),
  )
  app.patch('/projects/:ref/auth-settings', async (c) => {
    const project = findProject(deps.projects, c.req.param('ref'))
    const changes = await decodeBody(c, authSettingsChange)
    deps.authSettings.change(project.id, changesOf(changes))
    return c.json(stateOf(deps.authSettings, project))
  })
}

/** Far more than any test needs. */
const MAX_REDIRECT_URLS = 100
/** The longest password taken is 1,024 bytes. */
const MAX_PASSWORD_LENGTH = 256

const redirectUrl = z
  .string()
  .max(2_048)
  .refine(
    (text) => URL.canParse(text) && !/^(javascript|data|vbscript|blob|file):/i.test(text.trim()),
    'must be an absolute address, such as https://app.example.com/welcome',
  )
  // A Location header could not carry them, and address parsers drop some of them silently.
  .refine((text) => !/[\s\p{Cc}\p{Cs}]/u.test(text), 'must have no spaces or control characters')
  .refine((text) => !text.includes('#'), 'must have no fragment: the answer is put there')

const shape = {
  confirm_email: z.boolean(),
  signup_closed: z.boolean(),
  password_min_length: z.int().min(1).max(MAX_PASSWORD_LENGTH),
  redirect_urls: z.array(redirectUrl).max(MAX_REDIRECT_URLS),
  providers: z.array(z.enum(['google', 'github', 'apple'])),
  whatsapp: z.enum(['works', 'not_configured', 'send_failed']),
  sms: z.enum(['works', 'not_configured']),
}

/** What a fixture may state: any of the settings. */
export const fixtureAuthSettings = z.strictObject(shape).partial()

/** The same for PATCH, where `null` takes a setting away. */
export const authSettingsChange = z
  .strictObject({
    confirm_email: shape.confirm_email.nullable(),
    signup_closed: shape.signup_closed.nullable(),
    password_min_length: shape.password_min_length.nullable(),
    redirect_urls: shape.redirect_urls.nullable(),
    providers: shape.providers.nullable(),
    whatsapp: shape.whatsapp.nullable(),
    sms: shape.sms.nullable(),
  })
  .partial()

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

/** Turns wire names into the store's; `null` becomes `undefined`. */
export function changesOf(wire: z.output<typeof authSettingsChange>): AuthSettingsChanges {
  return Object.fromEntries(
    WIRE_NAMES.filter((name) => wire[name] !== undefined).map((name) => [
      DOMAIN_NAMES[name],
      wire[name] ?? undefined,
    ]),
  )
}

/** A project's own settings by their wire names. */
export function wireSettings(own: OwnAuthSettings): z.output<typeof fixtureAuthSettings> {
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
