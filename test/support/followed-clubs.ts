// An application's folder with a group of three tenants, followed by `tenantry dev`. Each tenant has a user and two rooms that no
// policy makes visible. Each also has two notices that all users could see, but a grant is missing.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ReadyLine } from '../../emulator/index.ts'
import { temporaryFolder } from './cli-process.ts'
import { type CliRun, runCliIn } from './cli-run.ts'
import { callsTo, type TestEmulator } from './test-emulator.ts'

export const CLUBS = ['club_a', 'club_b', 'club_c'] as const
export const TEMPLATE = 'club'

const FILES: Readonly<Record<string, string>> = {
  'fixture.yaml': `groups:
  - name: clubs
    template: { slug: ${TEMPLATE}, migrations: migrations }
    tenants:
${CLUBS.map(
  (slug) =>
    `      - { slug: ${slug}, users: [{ email: ana@${slug.replace('_', '')}.test, password: long-enough }], rows: { rooms: rooms.csv, notices: notices.csv } }`,
).join('\n')}
`,
  'rooms.csv': 'id,name\n1,Hall\n2,Attic\n',
  'notices.csv': 'id,text\n1,Open\n2,Closed\n',
  'migrations/20260101000000_rooms.sql': `create table rooms (id int primary key, name text);
alter table rooms enable row level security;
create table notices (id int primary key, text text);
alter table notices enable row level security;
create policy all_notices on notices for select using (true);
revoke all on notices from anon;
`,
}

export interface FollowedClubs extends Pick<TestEmulator, 'call' | 'url'> {
  /** The ready line with addresses and keys. */
  readonly line: ReadyLine
  /** Names of the step files, oldest first. */
  steps(): readonly string[]
  readonly folder: string
  close(): Promise<void>
}

export async function followClubs(): Promise<FollowedClubs> {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(FILES)) {
    const path = join(folder.path, 'tenantry', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const dev: CliRun = runCliIn(folder.path, ['dev', '--json', '--memory', '--port', '0'])
  const line = await dev.ready
  const url = new URL(line.inspector_url).origin
  const steps = join(folder.path, 'tenantry/migrations')
  return {
    line,
    url,
    call: callsTo(url),
    folder: steps,
    steps: () => readdirSync(steps).toSorted(),
    close: async () => {
      dev.child.kill('SIGTERM')
      await dev.ended
      folder.remove()
    },
  }
}
