// The tables of the platform's own database that layer 1 owns: accounts, projects, groups, tenants, keys, switches. The other
// layers pass their own migrations to openSystemDb.

/** The migrations of one layer, oldest first. Never edit a published step: append one. */
export interface MigrationSet {
  /** The layer's name in the table of versions, such as `registry`, `journal`. */
  readonly layer: string
  /** The SQL scripts; a step's number is its place in the list, counted from 1. */
  readonly steps: readonly string[]
}

/**
 * Accounts, projects, groups, tenants and their keys. The column `seq` keeps the order of creation while the clock is frozen.
 */
export const REGISTRY_MIGRATIONS: MigrationSet = {
  layer: 'registry',
  steps: [
    `
    create table owners (
      id text primary key,
      email text not null unique,
      password_hash text not null,
      created_at integer not null
    ) strict;

    create table projects (
      seq integer primary key autoincrement,
      id text not null unique,
      slug text not null unique,
      name text not null,
      kind text not null check (kind in ('project', 'template', 'tenant')),
      state text not null check (state in ('reserved', 'active', 'deleted', 'purging', 'purged')),
      plan_tier text not null check (plan_tier in ('free', 'site', 'pro', 'scale')),
      key_version integer not null default 1,
      owner_id text references owners (id),
      source_project_id text,
      frozen_at integer,
      is_usable integer not null default 1,
      created_at integer not null
    ) strict;
    create index projects_by_owner on projects (owner_id);
    create index projects_by_source on projects (source_project_id);
    create index projects_unfinished on projects (state) where state in ('reserved', 'purging');

    create table project_switches (
      project_id text not null references projects (id) on delete cascade,
      switch text not null,
      primary key (project_id, switch)
    ) strict, without rowid;

    create table groups (
      seq integer primary key autoincrement,
      id text not null unique,
      slug text not null,
      name text not null,
      description text,
      owner_id text not null references owners (id),
      template_project_id text not null references projects (id),
      created_at integer not null
    ) strict;
    create index groups_by_owner on groups (owner_id);
    create index groups_by_template on groups (template_project_id);

    create table group_keys (
      seq integer primary key autoincrement,
      id text not null unique,
      group_id text not null references groups (id) on delete cascade,
      hash text not null unique,
      shown_prefix text not null,
      label text,
      created_at integer not null
    ) strict;
    create index group_keys_by_group on group_keys (group_id);

    create table tenants (
      seq integer primary key autoincrement,
      id text not null unique,
      project_id text not null unique references projects (id) on delete cascade,
      group_id text not null,
      template_project_id text not null,
      external_id text,
      metadata text not null default '{}',
      created_at integer not null
    ) strict;
    create index tenants_by_group on tenants (group_id, seq);

    create table management_keys (
      seq integer primary key autoincrement,
      id text not null unique,
      project_id text not null references projects (id) on delete cascade,
      hash text not null unique,
      shown_prefix text not null,
      label text,
      expires_at integer,
      created_at integer not null
    ) strict;
    create index management_keys_by_project on management_keys (project_id);
    `,
  ],
}
