// Auth settings of a project: how its end users may sign in, and which message channels fail.
import { z } from 'zod'
import { AUTH_PROVIDERS, SMS_STATES, WHATSAPP_STATES } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'

/** Limit that exceeds the needs of any test suite. */
const MAX_REDIRECT_URLS = 100
/** Users must be able to satisfy the required length: the longest accepted password has 1,024 bytes. */
const MAX_PASSWORD_LENGTH = 256

// Node and browsers provide `URL`. This file declares `URL`, because this folder loads the types of neither.
declare const URL: { readonly canParse: (text: string) => boolean }

const RedirectUrl = z
  .string()
  .max(2_048)
  .refine(
    (text) => URL.canParse(text) && !/^(javascript|data|vbscript|blob|file):/i.test(text.trim()),
    'must be an absolute address, such as https://app.example.com/welcome',
  )
  // A Location header cannot contain these characters, and URL parsers drop some of them silently.
  .refine((text) => !/[\s\p{Cc}\p{Cs}]/u.test(text), 'must have no spaces or control characters')
  .refine((text) => !text.includes('#'), 'must have no fragment: the answer replaces it')

export const AuthSettingsWire = z.strictObject({
  confirm_email: z.boolean().describe('A sign-up gives no session until the address is confirmed'),
  signup_closed: z.boolean().describe('Only existing users sign in'),
  password_min_length: z.int().min(1).max(MAX_PASSWORD_LENGTH).describe('Characters'),
  redirect_urls: z
    .array(RedirectUrl)
    .max(MAX_REDIRECT_URLS)
    .describe(
      'Addresses to which links and sign-ins may return, compared exactly; loopback is always allowed',
    ),
  providers: z.array(z.enum(AUTH_PROVIDERS)),
  whatsapp: z.enum(WHATSAPP_STATES),
  sms: z.enum(SMS_STATES),
})
export type AuthSettingsWire = Shape<typeof AuthSettingsWire>

export const AuthSettingsState = z.object({
  project_id: z.string(),
  schema_name: z.string(),
  settings: AuthSettingsWire.describe(
    'The setting in effect: the value of the project, else of its template, else the default',
  ),
  own: z.array(z.string()).describe('Names of settings that the project has set itself'),
})
export type AuthSettingsState = Shape<typeof AuthSettingsState>

const own = AuthSettingsWire.shape
export const AuthSettingsChange = z
  .strictObject({
    confirm_email: z.exactOptional(own.confirm_email.nullable()),
    signup_closed: z.exactOptional(own.signup_closed.nullable()),
    password_min_length: z.exactOptional(own.password_min_length.nullable()),
    redirect_urls: z.exactOptional(own.redirect_urls.nullable()),
    providers: z.exactOptional(own.providers.nullable()),
    whatsapp: z.exactOptional(own.whatsapp.nullable()),
    sms: z.exactOptional(own.sms.nullable()),
  })
  .describe('Absent members keep their value; `null` removes the setting of the project')
export type AuthSettingsChange = Shape<typeof AuthSettingsChange>

export const AUTH_SETTINGS_OPERATIONS = {
  'GET /projects/:ref/auth-settings': {
    summary: 'Shows how users may sign in.',
    answer: AuthSettingsState,
  },
  'PATCH /projects/:ref/auth-settings': {
    summary: 'Changes how users may sign in.',
    body: AuthSettingsChange,
    answer: AuthSettingsState,
  },
} as const satisfies OperationTable
