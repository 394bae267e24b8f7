// The throw-away group of a run with `--write`: a template, a group with two tenants, two users and a bucket.
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import type { GroupAccess, Lab, LabOwner, LabTenant, LabUser } from '../model/check.ts'
import { TEXT, UUID } from '../model/patterns.ts'
import { type Part, send, textAt, type WireRequest } from '../model/steps.ts'

const PASSWORD = 'conformance-7357'

/** A throw-away group, with its owner when the run created the group. */
export interface MadeLab {
  readonly lab: Lab
  readonly owner?: LabOwner
}

/**
 * Creates a template, a group, and all that the group contains.
 * @param prefix begins every slug that the run creates, and no existing slug
 */
export function* createLab(prefix: string, session: string): Part<MadeLab> {
  const template = yield* createTemplate(prefix, session)
  const group = yield* createGroup(prefix, session)
  const home = yield* createTenant(group, `${prefix}_home`)
  const neighbour = yield* createTenant(group, `${prefix}_neighbour`)
  return { lab: yield* furnished(prefix, group, [home, neighbour]), owner: { session, template } }
}

/** Creates tenants in a group that exists, and the tables of the checks in them. */
export function* createLabIn(prefix: string, group: GroupAccess): Part<MadeLab> {
  const home = yield* createTenant(group, `${prefix}_home`)
  const neighbour = yield* createTenant(group, `${prefix}_neighbour`)
  for (const { managementKey, projectId } of [home, neighbour]) {
    const path = `/platform/v1/projects/${projectId}/db/exec`
    yield send(post(path, managementKey, { sql: LAB_SQL }), 200, { error: undefined })
  }
  return { lab: yield* furnished(prefix, group, [home, neighbour]) }
}

function* furnished(
  prefix: string,
  group: GroupAccess,
  [home, neighbour]: readonly [LabTenant, LabTenant],
): Part<Lab> {
  const rows = { sql: 'insert into crowd select generate_series(1, 5)' }
  const exec = `/platform/v1/projects/${home.projectId}/db/exec`
  yield send(post(exec, home.managementKey, rows), 200, { error: undefined })
  const bucket = yield send(
    {
      plane: 'auth',
      method: 'POST',
      path: `/platform/v1/projects/${home.projectId}/buckets`,
      bearer: home.managementKey,
      json: { name: 'files' },
    },
    201,
    { id: `${home.schemaName}_files` },
  )
  return {
    prefix,
    group,
    home,
    neighbour,
    ana: yield* createUser(home, 'ana@conformance.test'),
    ben: yield* createUser(home, 'ben@conformance.test'),
    bucket: textAt(bucket, 'id'),
  }
}

function* createTemplate(prefix: string, session: string): Part<LabOwner['template']> {
  const slug = `${prefix}_template`
  const project = yield send(
    post('/platform/v1/projects', session, { name: 'Conformance', slug }),
    201,
    { id: TEXT, slug },
  )
  const id = textAt(project, 'id')
  yield send(post(`/platform/v1/projects/${id}/db/exec`, session, { sql: LAB_SQL }), 200, {
    error: undefined,
  })
  return { id, slug }
}

function* createGroup(prefix: string, session: string): Part<GroupAccess> {
  const group = yield send(
    post('/platform/v1/groups', session, {
      name: prefix,
      template_project_id: `proj_${prefix}_template`,
    }),
    201,
    { id: TEXT },
  )
  const id = textAt(group, 'id')
  const key = yield send(
    post(`/platform/v1/groups/${id}/keys`, session, { label: 'conformance' }),
    201,
    { key: TEXT },
  )
  return { id, key: textAt(key, 'key') }
}

/** Provisions a tenant, and creates its management key and tokens. */
export function* createTenant(group: GroupAccess, slug: string): Part<LabTenant> {
  const tenants = `/groups/v1/${group.id}/tenants`
  const made = yield send(post(tenants, group.key, { slug, external_id: 'conformance' }), 201, {
    tenant: { id: TEXT, slug },
    anon_key: TEXT,
    service_role_key: TEXT,
  })
  const anonKey = textAt(made, 'anon_key')
  const serviceRoleKey = textAt(made, 'service_role_key')
  const key = yield send(post(`${tenants}/${slug}/keys`, group.key, { label: 'check' }), 201, {
    key: TEXT,
  })
  return {
    id: textAt(made, 'tenant', 'id'),
    slug,
    schemaName: `proj_${slug}`,
    projectId: String(readClaims(anonKey)?.['project_id']),
    anonKey,
    serviceRoleKey,
    managementKey: textAt(key, 'key'),
    anonStorage: yield* exchange('/st/v1/token', anonKey),
    serviceStorage: yield* exchange('/st/v1/token', serviceRoleKey),
    anonRealtime: yield* exchange('/rt/v1/token', anonKey),
  }
}

/** Signs a user up. */
export function* createUser(tenant: LabTenant, email: string): Part<LabUser> {
  const { user, ...session } = yield* signUp(tenant, email, PASSWORD)
  return {
    id: user,
    email,
    password: PASSWORD,
    accessToken: session.accessToken,
    dataPlaneToken: session.dataPlaneToken,
    storage: yield* exchange('/st/v1/token', session.dataPlaneToken),
    realtime: yield* exchange('/rt/v1/token', session.dataPlaneToken),
  }
}

function* signUp(tenant: LabTenant, email: string, password: string): Part<SignedUp> {
  const session = yield send(
    {
      plane: 'auth',
      method: 'POST',
      path: '/auth/v1/signup',
      headers: { apikey: tenant.anonKey },
      json: { email, password },
    },
    200,
    { access_token: TEXT, data_plane_token: TEXT, user: { id: UUID } },
  )
  return {
    user: textAt(session, 'user', 'id'),
    accessToken: textAt(session, 'access_token'),
    dataPlaneToken: textAt(session, 'data_plane_token'),
  }
}

interface SignedUp {
  readonly user: string
  readonly accessToken: string
  readonly dataPlaneToken: string
}

/** Exchanges a credential for the token of a service. */
export function* exchange(path: string, credential: string): Part<string> {
  const answer = yield send(post(path, credential, undefined), 200, { token: TEXT })
  return textAt(answer, 'token')
}

function post(path: string, bearer: string, json: unknown): WireRequest {
  return { plane: 'auth', method: 'POST', path, bearer, json }
}

const RULE_OF_STEP: readonly (readonly [RegExp, string])[] = [
  [/db\/exec/, 'platform.md#db-exec'],
  [/\/buckets$/, 'platform.md#buckets'],
  [/\/tenants$/, 'platform.md#provision'],
  [/\/tenants\/\w+\/keys$/, 'platform.md#management-keys'],
  [/\/groups\/\w+\/keys$/, 'platform.md#group-keys'],
  [/\/platform\/v1\/groups$/, 'platform.md#group'],
  [/\/auth\/v1\/signup$/, 'auth.md#signup'],
  [/\/st\/v1\/token$/, 'credentials.md#storage-token'],
  [/\/rt\/v1\/token$/, 'credentials.md#realtime-token'],
]

/** Returns the rule of docs/wire that a failed step of creating the throw-away group belongs to. */
export function ruleOfLabStep(step: string): string {
  return RULE_OF_STEP.find(([form]) => form.test(step))?.[1] ?? 'platform.md#projects'
}

// The tables and functions of the throw-away template.

/** Runs in the template, so that both tenants get a copy. */
const LAB_SQL = `
create table open_notes (id int generated by default as identity primary key, body text);

create table notes (
  id int generated by default as identity primary key,
  owner_id uuid not null default auth.uid(),
  body text not null check (body <> 'forbidden'),
  label text unique,
  parent_id int references notes
);
alter table notes enable row level security;
create policy own_rows on notes to authenticated using (owner_id = auth.uid()) with check (owner_id = auth.uid());

create table inbox (id int generated by default as identity primary key, body text);
alter table inbox enable row level security;
create policy anyone_writes on inbox for insert to anon with check (true);
grant insert on inbox to anon;

create table shared (id int primary key, body text, owner_id uuid);
alter table shared enable row level security;
create policy everyone_reads on shared for select using (true);

create table whole (id int primary key, body text);
alter table whole enable row level security;
alter table whole replica identity full;
create policy everyone_reads on whole for select using (true);

create table looks_elsewhere (id int primary key);
alter table looks_elsewhere enable row level security;
create policy through_another_table on looks_elsewhere for select using (exists (select from whole));

create table stamped (id int primary key, stamp text);
create function set_stamp() returns trigger language plpgsql as $$ begin new.stamp := 'by trigger'; return new; end $$;
create trigger stamps before insert on stamped for each row execute function set_stamp();

create function whoami() returns json language sql stable as $$
  select json_build_object(
    'role', current_user, 'auth_role', auth.role(), 'uid', auth.uid(), 'email', auth.email(), 'jwt_role', auth.jwt() ->> 'role',
    'claims_role', current_setting('request.jwt.claims', true)::json ->> 'role',
    'method', current_setting('request.method', true), 'path', current_setting('request.path', true),
    'header', current_setting('request.headers', true)::json ->> 'x-check'
  ) $$;
create table crowd (id int primary key);
create function big() returns setof text language sql as
  $$ select repeat('x', 1048576) from generate_series(1, 66) $$;
create function sleepy(seconds float) returns text language sql as $$ select pg_sleep(seconds)::text $$;
create function fails() returns void language plpgsql as $$ begin raise exception 'on purpose'; end $$;
create function counts() returns bigint language sql stable as $$ select count(*) from open_notes $$;
create function writes_then_fails() returns void language plpgsql as
  $$ begin insert into open_notes(body) values ('half'); raise exception 'after the insert'; end $$;
`
