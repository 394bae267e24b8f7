-- The tenant's `auth_*` tables (docs/wire/data-plane.md#auth-tables): owned by the platform, reached by auth_admin alone.
-- install.ts replaces `:schema` and `:owner` with quoted names. Secrets are stored as digests.
create table if not exists :schema.auth_users (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  email text,
  phone text unique,
  email_confirmed_at timestamptz,
  phone_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  role text not null default 'authenticated',
  user_metadata jsonb not null default '{}',
  app_metadata jsonb not null default '{}',
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
-- E-mail addresses compare without case (docs/wire/data-plane.md#auth-tables).
create unique index if not exists auth_users_email_key on :schema.auth_users (pg_catalog.lower(email));

-- Apart from the user, so that the owner may read auth_users without seeing a hash.
create table if not exists :schema.auth_credentials (
  user_id uuid primary key references :schema.auth_users (id) on delete cascade,
  password_hash text not null,
  changed_at timestamptz not null default pg_catalog.now()
);

create table if not exists :schema.auth_sessions (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  user_id uuid not null references :schema.auth_users (id) on delete cascade,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  amr jsonb not null default '[]',
  user_agent text,
  ip text,
  created_at timestamptz not null default pg_catalog.now(),
  refreshed_at timestamptz,
  revoked_at timestamptz
);
create index if not exists auth_sessions_user_id_idx on :schema.auth_sessions (user_id);

-- `replacement` is the next token: for ten seconds a second tab gets it again (docs/wire/data-plane.md#auth-tables).
create table if not exists :schema.auth_refresh_tokens (
  id bigint generated always as identity primary key,
  token_hash text not null unique,
  session_id uuid not null references :schema.auth_sessions (id) on delete cascade,
  created_at timestamptz not null default pg_catalog.now(),
  spent_at timestamptz,
  replacement jsonb
);
create index if not exists auth_refresh_tokens_session_id_idx on :schema.auth_refresh_tokens (session_id);

create table if not exists :schema.auth_identities (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  user_id uuid not null references :schema.auth_users (id) on delete cascade,
  provider text not null,
  provider_user_id text not null,
  email text,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  unique (provider, provider_user_id)
);
create index if not exists auth_identities_user_id_idx on :schema.auth_identities (user_id);

-- TOTP codes are single-use: `last_used_step` is the time step of the last one taken (RFC 6238 §5.2).
create table if not exists :schema.auth_mfa_factors (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  user_id uuid not null references :schema.auth_users (id) on delete cascade,
  factor_type text not null default 'totp' check (factor_type in ('totp')),
  friendly_name text,
  secret text not null,
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  last_used_step bigint,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
create index if not exists auth_mfa_factors_user_id_idx on :schema.auth_mfa_factors (user_id);

-- Six-digit codes, magic links, reset links and second-factor tokens, each for one use.
create table if not exists :schema.auth_one_time_codes (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  purpose text not null,
  user_id uuid references :schema.auth_users (id) on delete cascade,
  target text,
  code_hash text not null,
  failed_attempts integer not null default 0,
  redirect_to text,
  facts jsonb not null default '{}',
  created_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index if not exists auth_one_time_codes_target_idx on :schema.auth_one_time_codes (purpose, target);
create index if not exists auth_one_time_codes_code_hash_idx on :schema.auth_one_time_codes (code_hash);
create index if not exists auth_one_time_codes_user_id_idx on :schema.auth_one_time_codes (user_id);

-- A sign-in under way at a provider: from /authorize to /token/exchange (RFC 7636).
create table if not exists :schema.auth_flow_states (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  provider text not null,
  state_hash text not null unique,
  code_challenge text,
  code_challenge_method text,
  redirect_to text,
  user_id uuid references :schema.auth_users (id) on delete cascade,
  code_hash text unique,
  code_expires_at timestamptz,
  facts jsonb not null default '{}',
  created_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index if not exists auth_flow_states_user_id_idx on :schema.auth_flow_states (user_id);

grant all on
  :schema.auth_users,
  :schema.auth_credentials,
  :schema.auth_sessions,
  :schema.auth_refresh_tokens,
  :schema.auth_identities,
  :schema.auth_mfa_factors,
  :schema.auth_one_time_codes,
  :schema.auth_flow_states
to auth_admin;
grant usage, select on sequence :schema.auth_refresh_tokens_id_seq to auth_admin;
grant select, references on :schema.auth_users to :owner
