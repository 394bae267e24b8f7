// How a project's end users may sign in: set over the emulator's API and by fixtures, kept per project (docs/wire/auth.md#signin).
import type { ProjectId } from '../core/names.ts'

/** The social providers. A new one needs a label and invented accounts (providers.ts) and a name in the API's contract. */
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
