// GET and PATCH /_emulator/v1/projects/:ref/auth-settings: how a project's end users may sign in, and which channels fail.

export interface AuthSettingsState {
  readonly project_id: string
  readonly schema_name: string
  /** What holds: the project's own settings over its template's over the defaults. */
  readonly settings: AuthSettingsWire
  /** Names of the settings the project has of its own. */
  readonly own: readonly string[]
}

export interface AuthSettingsWire {
  /** A sign-up gives no session before the address was confirmed. */
  readonly confirm_email: boolean
  /** Only existing users sign in. */
  readonly signup_closed: boolean
  /** Characters. */
  readonly password_min_length: number
  /** Where links and sign-ins may return to, compared exactly; loopback of any port is allowed beside them. */
  readonly redirect_urls: readonly string[]
  readonly providers: readonly ('google' | 'github' | 'apple')[]
  readonly whatsapp: 'works' | 'not_configured' | 'send_failed'
  readonly sms: 'works' | 'not_configured'
}

/** Absent members stay; `null` takes the project's own setting away. */
export type AuthSettingsChange = {
  readonly [Name in keyof AuthSettingsWire]?: AuthSettingsWire[Name] | null
}
