// `tenantry migrate new --from-changes` writes a step with the changes that were made by hand in the template.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { ask } from '../../support/fixture-folder.ts'
import { createGroup, provisionTenant, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const folder = temporaryFolder()
const NOTES = '20260101000000_notes.sql'
let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

interface World {
  /** Runs `tenantry migrate new later --from-changes` with more options. */
  readonly create: (...more: readonly string[]) => Promise<Ended>
  readonly migrate: (...args: readonly string[]) => Promise<Ended>
  readonly files: () => readonly string[]
  readonly read: (file: string) => string
}

const PLAIN = 'create table notes (id int primary key, body text);\n'

/** Tables that every kind of object depends on, with policies whose text changes with a rename. */
const CARRIED = `
create table notes (id int primary key, owner uuid not null, body text, length int generated always as (id + 1) stored);
create table tags (note int references notes on delete cascade, owner uuid check (owner is not null));
create table parts (id int, kind text) partition by list (kind);
create table parts_a partition of parts for values in ('a');
create index tags_by_note on tags (note) where owner is not null;
create statistics notes_stats on id, owner from notes;
create function owns(note notes) returns boolean language sql stable return note.owner = auth.uid();
create view mine as select id, owner as who from notes where owner = auth.uid();
create materialized view tagged as select n.owner, count(*) from notes n join tags on note = id group by n.owner;
create policy read_own on notes for select using (owner = (select auth.uid()));
create policy write_own on notes for all using (owns(notes)) with check (owner = auth.uid());
create policy read_tags on tags for select using (exists (select from notes where id = note and notes.owner = tags.owner));
create policy write_tags on tags for insert with check (owner in (select owner from notes));
create function stamp() returns trigger language plpgsql as 'begin return new; end';
create trigger stamped before update of owner on notes for each row when (new.owner is distinct from old.owner) execute function stamp();
create rule keep as on delete to notes where old.owner is null do instead nothing;
comment on column notes.owner is 'writes it';
grant update (owner) on notes to authenticated;
`

/** Creates a group. A step has created the table `notes` in its template and its tenant. */
async function world(name: string, sql = PLAIN): Promise<World> {
  const dir = mkdtempSync(join(folder.path, 'steps-'))
  writeFileSync(join(dir, NOTES), sql)
  await provisionTenant(at, await createGroup(at, name), `${name}_a`)
  const where = ['--dir', dir, '--group', name, '--url', at.url]
  const migrate = (...args: readonly string[]) => runCli(['migrate', ...args, ...where]).ended
  await migrate('apply', '--tenants', 'all', '--data-dir', dir)
  return {
    migrate,
    create: (...more) => migrate('new', 'later', '--from-changes', ...more),
    files: () => readdirSync(dir).filter((file) => file.endsWith('.sql')),
    read: (file) => readFileSync(join(dir, file), 'utf8'),
  }
}

describe('tenantry migrate new --from-changes', () => {
  it('writes the step, records it in the template, and applies to a tenant', async () => {
    const { create, files, migrate, read } = await world('made')
    await ask(at, 'made', 'alter table notes add column stars int')
    const { code, stdout } = await create()
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/recorded it in the template.*\nThe step has 1 statement\.\n$/),
    })
    const [, file = ''] = files()
    expect(read(file)).toBe('-- later\n\nalter table notes add column stars integer;\n')
    const data = mkdtempSync(join(folder.path, 'data-'))
    const applied = await migrate('apply', '--tenants', 'all', '--data-dir', data)
    expect(applied).toMatchObject({ code: 0 })
    expect(applied.stdout).toMatch(/^template made: up to date\ntenant made_a: applied \d{14}\n$/)
    expect(await create()).toMatchObject({
      code: 0,
      stdout: 'The template has no changes since its last step. No step was created.\n',
    })
  })

  it('lists candidates for renames and writes nothing when stdin is not a terminal', async () => {
    const { create, files, read } = await world('renamed')
    await ask(at, 'renamed', 'alter table notes rename column body to content')
    const asked = await create()
    expect(asked.code).toBe(1)
    expect(asked.stdout).toContain('\n  --rename notes.body=content\n')
    expect(files()).toEqual([NOTES])
    expect(await create('--rename', 'notes.body=content')).toMatchObject({ code: 0 })
    expect(read(files()[1] ?? '')).toContain('rename column body to content;')
  })

  it('writes no statement for a dependent object that Postgres changes together with a rename', async () => {
    const { create, files, migrate, read } = await world('carried', CARRIED)
    await ask(
      at,
      'carried',
      'alter table notes rename column owner to author; alter table notes drop column body; alter table notes add column stars int; alter table tags rename to labels',
    )
    const renames = ['--rename', 'notes.owner=author', '--rename', 'tags=labels', '--drop-and-add']
    expect(await create(...renames, '--allow-destructive')).toMatchObject({ code: 0 })
    const [, file = ''] = files()
    expect(read(file).split('\n\n')).toEqual([
      '-- later',
      'alter table tags rename to labels;',
      'alter table notes rename column owner to author;',
      '-- Destroys data: Drops the column notes.body and its values.\nalter table notes drop column body;',
      'alter table notes add column stars integer;\n',
    ])
    const data = mkdtempSync(join(folder.path, 'data-'))
    const applied = await migrate('apply', '--tenants', 'all', '--data-dir', data)
    expect(applied).toMatchObject({ code: 0 })
    expect((await create()).stdout).toContain('The template has no changes since its last step.')
  })

  it('refuses a rename that the schema does not allow, with the reason', async () => {
    const { create, files } = await world('unfit', CARRIED)
    await ask(at, 'unfit', 'alter table notes rename column owner to author')
    const refusals = {
      'notes.nobody=author': 'The table notes has no column nobody.',
      'notes.owner=body': 'notes.owner cannot become body, because body exists already.',
      'tags=notes': 'The table tags cannot become notes, because notes exists already.',
      'parts_a.kind=sort': "belongs to a parent table. Rename the parent's column instead.",
      'tags=tags_by_note': 'relation "tags_by_note" already exists',
    }
    for (const [rename, reason] of Object.entries(refusals)) {
      const { code, stderr } = await create('--rename', rename)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) })
    }
    expect(files()).toEqual([NOTES])
  })

  it('leaves out destructive statements until --allow-destructive is given', async () => {
    const { create, files, read } = await world('lossy')
    await ask(at, 'lossy', 'alter table notes drop column body')
    const held = await create()
    expect(held.code).toBe(1)
    expect(held.stdout).toContain('1 statement left out')
    expect(files()).toEqual([NOTES])
    expect(await create('--allow-destructive')).toMatchObject({ code: 0 })
    expect(read(files()[1] ?? '')).toMatch(
      /-- Destroys data: .*\nalter table notes drop column body;/,
    )
  })

  it('refuses a malformed --rename, and shows the correct form', async () => {
    const { create } = await world('wrong')
    const { code, stderr } = await create('--rename', 'notes')
    expect(code).not.toBe(0)
    expect(stderr).toContain('--rename table=new')
  })
})
