// POST /_emulator/v1/tokens/explain: what a credential is, whether it holds, and what it may do here.
// POST /_emulator/v1/tokens/mint: any credential of the platform with chosen claims and expiry.

export interface ExplainTokenRequest {
  /** Whatever was pasted: a JWT, a PASETO, an opaque key, with or without `Bearer`. */
  readonly token: string
}

export interface TokenExplanation {
  readonly kind:
    | 'anon_key'
    | 'service_role_key'
    | 'data_plane_token'
    | 'session_token'
    | 'storage_token'
    | 'realtime_token'
    | 'group_api_key'
    | 'management_key'
    | 'signed_url_token'
    | 'platform_session'
    | 'admin_token'
    | 'unknown'
  readonly header: Readonly<Record<string, unknown>> | null
  readonly claims: Readonly<Record<string, unknown>> | null
  readonly signature: 'valid' | 'invalid' | 'not_signed' | 'unknown_key'
  /** ISO 8601, or `null` where it does not expire. */
  readonly expires_at: string | null
  /** Platform time, to count down from. */
  readonly now: string
  readonly project: {
    readonly schema_name: string
    readonly slug: string
    readonly state: string
  } | null
  readonly holds: boolean
  /** Why it is refused, or what it is, in a sentence. */
  readonly sentence: string
  /** Per service: may it be presented there, and as whom. */
  readonly services: readonly {
    readonly service: 'rest' | 'auth' | 'storage' | 'realtime' | 'groups' | 'platform'
    readonly accepted: boolean
    readonly sentence: string
  }[]
}

export interface MintTokenRequest {
  readonly project: string
  readonly kind:
    | 'data_plane_token'
    | 'storage_token'
    | 'realtime_token'
    | 'anon_key'
    | 'service_role_key'
  readonly role?: 'anon' | 'authenticated' | 'service_role'
  /** A user's id or e-mail address. */
  readonly user?: string
  readonly claims?: Readonly<Record<string, unknown>>
  /** Seconds from now; may be negative, so that one is already past. */
  readonly expires_in?: number
}

export interface MintedToken {
  readonly token: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly expires_at: string | null
}
