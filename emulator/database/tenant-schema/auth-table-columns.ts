// The platform's tables in a project's schema (auth-tables.sql) with their columns, in an order in which rows refer only to
// earlier tables. Bundles contain the rows of exactly these columns.
export const AUTH_TABLE_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'auth_users',
    [
      'id',
      'email',
      'phone',
      'email_confirmed_at',
      'phone_confirmed_at',
      'last_sign_in_at',
      'role',
      'user_metadata',
      'app_metadata',
      'is_anonymous',
      'banned_until',
      'created_at',
      'updated_at',
    ],
  ],
  ['auth_credentials', ['user_id', 'password_hash', 'changed_at']],
  [
    'auth_sessions',
    ['id', 'user_id', 'aal', 'amr', 'user_agent', 'ip', 'created_at', 'refreshed_at', 'revoked_at'],
  ],
  [
    'auth_refresh_tokens',
    ['id', 'token_hash', 'session_id', 'created_at', 'spent_at', 'replacement'],
  ],
  [
    'auth_identities',
    [
      'id',
      'user_id',
      'provider',
      'provider_user_id',
      'email',
      'identity_data',
      'last_sign_in_at',
      'created_at',
      'updated_at',
    ],
  ],
  [
    'auth_mfa_factors',
    [
      'id',
      'user_id',
      'factor_type',
      'friendly_name',
      'secret',
      'status',
      'last_used_step',
      'created_at',
      'updated_at',
    ],
  ],
  [
    'auth_one_time_codes',
    [
      'id',
      'purpose',
      'user_id',
      'target',
      'code_hash',
      'failed_attempts',
      'redirect_to',
      'facts',
      'created_at',
      'expires_at',
      'spent_at',
    ],
  ],
  [
    'auth_flow_states',
    [
      'id',
      'provider',
      'state_hash',
      'code_challenge',
      'code_challenge_method',
      'redirect_to',
      'user_id',
      'code_hash',
      'code_expires_at',
      'facts',
      'created_at',
      'expires_at',
      'spent_at',
    ],
  ],
])

/** The table of a project's users. */
export const USERS_TABLE = 'auth_users'

/** The only sequence of these tables. */
export const AUTH_SEQUENCE = 'auth_refresh_tokens_id_seq'
