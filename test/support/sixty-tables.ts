// SQL of a project with sixty tables in several areas, as a large application has them. Most tables reference the main table of
// their area, and many reference a shared table. Some reference themselves or no table.

const AREAS = ['billing', 'care', 'stock', 'staffing', 'planning', 'reports']
const PARTS = ['items', 'notes', 'events', 'labels', 'files', 'rules', 'limits', 'history']

export const SIXTY_TABLES: string = [
  'create table organisations (id bigint primary key, name text not null)',
  'create table members (id bigint primary key, organisation_id bigint not null references organisations, manager_id bigint references members)',
  ...AREAS.flatMap((area, place) => [
    `create table ${area} (id bigint primary key, organisation_id bigint not null references organisations, title text)`,
    ...PARTS.map(
      (part, index) =>
        `create table ${area}_${part} (id bigint primary key, ${area}_id bigint not null references ${area}` +
        `${index % 2 === 0 ? ', member_id bigint references members' : ''}, body text, made_at timestamptz default now())`,
    ),
    ...(place % 2 === 0 ? [`alter table ${area} enable row level security`] : []),
  ]),
  'create table settings (name text primary key, value jsonb)',
  'create table outbox (id uuid primary key, payload jsonb)',
  'create table jobs (id uuid primary key, run_at timestamptz)',
  'create table translations (language text, key text, words text, primary key (language, key))',
].join(';\n')
