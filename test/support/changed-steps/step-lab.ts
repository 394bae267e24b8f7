// Follows an application's folder through random edits. After each edit, no row of the application may be lost unless the user
// allowed it. At the end, the project must equal the result of its steps.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BareEmulator, openEmulator } from '../../../emulator/assembly/library/emulator.ts'
import type { FollowLoss, FollowReport } from '../../../emulator/contract/fixtures.ts'
import { temporaryFolder } from '../cli-process.ts'
import { TEST_ENGINE } from '../engine-of-run.ts'
import { writeFixture } from '../fixture-folder.ts'
import { callsTo, type Json } from '../test-emulator.ts'
import { type Edit, textOf } from './step-edits.ts'

type Row = Readonly<Record<string, unknown>>

const NO_STATEMENT = '-- nothing yet\n'

/** The first id of the application's rows. */
const FIRST_ID = 1_000

/** Number of edit sequences per emulator. An emulator keeps the projects of its sequences until it ends. */
const SEQUENCES = 10

export class StepLab implements AsyncDisposable {
  readonly #root = temporaryFolder()
  #emulator: BareEmulator | undefined
  #url = ''
  #count = 0

  /** @returns the event of each save @throws {Error} that names the lost value, or the difference */
  async run(edits: readonly Edit[]): Promise<readonly string[]> {
    const emulator = await this.#emulatorOfNext()
    const slug = `steps${this.#count}`
    const folder = writeFixture(this.#root.path, {
      'fixture.yaml': `groups:
  - name: ${slug}
    template: { slug: ${slug}, migrations: migrations, migrate_tenants: true }
    tenants: [{ slug: ${slug}_a }]
`,
      'migrations/.keep': '',
    })
    const sequence = new Sequence(emulator, this.#url, folder, slug)
    try {
      for (const at of [0, 1, 2]) sequence.write(at, 0)
      await sequence.save()
      for (const edit of edits) await sequence.apply(edit)
      await sequence.finish()
      return sequence.events
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#emulator?.close()
    this.#root.remove()
  }

  async #emulatorOfNext(): Promise<BareEmulator> {
    const isFull = this.#count % SEQUENCES === 0
    this.#count += 1
    if (this.#emulator !== undefined && !isFull) return this.#emulator
    await this.#emulator?.close()
    this.#emulator = await openEmulator(TEST_ENGINE)
    const { port } = await this.#emulator.listen({ port: 0, host: '127.0.0.1' })
    this.#url = `http://127.0.0.1:${port}`
    return this.#emulator
  }
}

class Sequence {
  readonly events: string[] = []
  readonly #emulator: BareEmulator
  readonly #url: string
  readonly #folder: string
  readonly #slug: string
  readonly #texts = ['', '', '']
  /** The application's rows by table and id, in the tenant and the template. */
  readonly #rows = new Map<string, Map<number, Row>>()
  /** Columns with a default at the last write or check of the rows, by project and table. */
  readonly #withDefault = new Map<string, ReadonlySet<string>>()
  #nextId = FIRST_ID
  #last: FollowReport | undefined

  constructor(emulator: BareEmulator, url: string, folder: string, slug: string) {
    this.#emulator = emulator
    this.#url = url
    this.#folder = folder
    this.#slug = slug
  }

  write(at: number, seed: number): void {
    this.#texts[at] = textOf(at, seed)
    this.#put(at, this.#texts[at])
  }

  async apply(edit: Edit): Promise<void> {
    if (edit.kind === 'rows') return await this.#addRows(edit.seed)
    if (edit.kind === 'rebuild') return await this.save(this.#last?.losses ?? [])
    if (edit.kind === 'write') for (const [at, seed] of edit.texts) this.write(at, seed)
    else this.#edit(edit.kind, edit.step)
    await this.save()
    if (edit.kind === 'halfWritten' || edit.kind === 'twin') {
      this.#put(edit.step, this.#texts[edit.step] ?? '')
      await this.save()
    }
  }

  /** Applies the folder, and checks the rows. */
  async save(consent: readonly FollowLoss[] = []): Promise<void> {
    const report = await this.#follow(consent)
    this.events.push(report.event)
    this.#last = report
    if (report.event === 'applied' || report.event === 'rebuilt') this.#forget(report)
    await this.#requireRows(JSON.stringify(report))
  }

  /** Applies the folder with all losses, and compares the projects with their steps. */
  async finish(): Promise<void> {
    await this.save()
    if (this.#last?.event === 'waiting') await this.save(this.#last.losses)
    if (this.#last?.event === 'refused') return
    // Without steps, the projects must have no tables.
    if (this.#texts.every((text) => text === '' || text === NO_STATEMENT))
      return await this.#requireNoTables()
    const path = `/_emulator/v1/groups/${this.#slug}/migrations/drift`
    const { body } = await callsTo(this.#url)<Json>('POST', path, { body: {} })
    for (const { compared_with: other, differences, note, slug } of [
      body.template,
      ...body.tenants,
    ])
      if (other !== 'steps' || differences.length > 0)
        throw new Error(
          `${slug} is not what its steps build: ${JSON.stringify(differences)} ${note}`,
        )
  }

  async #requireNoTables(): Promise<void> {
    for (const project of [this.#slug, `${this.#slug}_a`])
      if ((await this.#tables(project)).length > 0)
        throw new Error(`${project} has tables, and no step builds any`)
  }

  #edit(kind: Exclude<Edit['kind'], 'rows' | 'rebuild' | 'write'>, at: number): void {
    const text = this.#texts[at] ?? ''
    const edits = {
      comment: () => this.#put(at, `-- step ${at}\n\n${text}\n/* end */`),
      letters: () => this.#put(at, text.replaceAll('create table', 'CREATE   Table')),
      rename: () => {
        const file = this.#fileOf(at)
        if (file !== undefined) renameSync(file, file.replace(/_\w+\.sql$/, '_renamed.sql'))
      },
      delete: () => {
        this.#texts[at] = ''
        this.#drop(at)
      },
      empty: () => {
        this.#texts[at] = NO_STATEMENT
        this.#put(at, NO_STATEMENT)
      },
      halfWritten: () => this.#put(at, `${text}create tabl`),
      twin: () => {
        const twin = join(this.#folder, 'migrations', `${versionOf(at)}_twin.sql`)
        writeFileSync(twin, 'select 1;\n')
      },
    } satisfies Record<typeof kind, () => void>
    edits[kind]()
  }

  #fileOf(at: number): string | undefined {
    const folder = join(this.#folder, 'migrations')
    const name = readdirSync(folder).find((one) => one.startsWith(versionOf(at)))
    return name && join(folder, name)
  }

  #drop(at: number): void {
    for (let file = this.#fileOf(at); file !== undefined; file = this.#fileOf(at)) rmSync(file)
  }

  // Removes the file first, because an editor that replaces a file also removes it for a moment.
  #put(at: number, text: string): void {
    this.#drop(at)
    writeFileSync(join(this.#folder, 'migrations', `${versionOf(at)}_step.sql`), text)
  }

  #follow(consent: readonly FollowLoss[]): Promise<FollowReport> {
    return this.#emulator.followFixture(this.#folder, {
      consent,
      onRebuild: () => {},
      rebuild: () => this.#follow([]),
    })
  }

  async #addRows(seed: number): Promise<void> {
    for (const project of [this.#slug, `${this.#slug}_a`])
      for (const [table, columns] of await this.#tables(project)) {
        this.#nextId += 1
        const id = this.#nextId
        const given = columns.filter(
          (column) => column === 'name' || (column in VALUES && (seed + id) % 3 > 0),
        )
        const writesNull = (seed + id) % 4 === 0
        const values = given.map((column) =>
          writesNull && NULLABLE.has(column) ? 'null' : VALUES[column],
        )
        await this.#ask(
          project,
          `insert into ${table} (${['id', ...given].join()}) values (${[id, ...values].join()})`,
        )
        const [row] = await this.#rowsOf(project, table, `where id = ${id}`)
        if (row === undefined) throw new Error(`${project}.${table} did not take row ${id}`)
        const key = `${project} ${table}`
        this.#rows.set(key, (this.#rows.get(key) ?? new Map()).set(id, row))
      }
  }

  // Removes the losses that the report names from the expected rows.
  #forget({ losses, rebuilt }: FollowReport): void {
    for (const project of rebuilt)
      for (const key of this.#rows.keys())
        if (key.startsWith(`${project} `)) this.#allow(key, losses)
    for (const { column, project, table } of losses) {
      const key = `${project} ${table}`
      if (column === null) this.#rows.delete(key)
      else
        for (const [id, { [column]: _, ...row }] of this.#rows.get(key) ?? [])
          this.#rows.get(key)?.set(id, row)
    }
  }

  #allow(key: string, losses: readonly FollowLoss[]): void {
    if (!losses.some(({ project, table }) => key === `${project} ${table}`))
      throw new Error(`${key} was emptied, and the report does not name it`)
    this.#rows.delete(key)
  }

  async #requireRows(context: string): Promise<void> {
    for (const [key, rows] of this.#rows) {
      const [project = '', table = ''] = key.split(' ')
      const found = await this.#rowsOf(project, table, `where id >= ${FIRST_ID}`)
      const byId = new Map(found.map((row) => [Number(row['id']), row]))
      for (const [id, row] of rows) {
        const present = byId.get(id)
        if (present === undefined) throw new Error(`row ${id} of ${key} is lost after ${context}`)
        rows.set(id, this.#compared(key, row, present, context))
      }
    }
    for (const project of [this.#slug, `${this.#slug}_a`]) await this.#tables(project)
  }

  /** Returns the row that a later check expects. @throws {Error} that names the lost value */
  #compared(key: string, row: Row, present: Row, context: string): Row {
    const dropped: Record<string, unknown> = {}
    for (const [column, value] of Object.entries(row)) {
      if (String(present[column]) === String(value)) continue
      const isUsual = value === (this.#withDefault.get(key)?.has(column) ? DEFAULTS[column] : null)
      // A usual value may change when its column was dropped, or is a new column with its current default.
      const isNew = [undefined, null, DEFAULTS[column]].includes(present[column])
      // The platform keeps the values of a column that a step drops, and restores them when the step is removed.
      if (present[column] === undefined && this.#drops(column)) dropped[column] = value
      else if (!(isUsual && isNew))
        throw new Error(
          `${key}.${column} of row ${row['id']} was ${value}, and is ${present[column]} after ${context}`,
        )
    }
    return { ...dropped, ...present }
  }

  #drops(column: string): boolean {
    return this.#texts.some((text) => text.includes(`drop column if exists ${column}`))
  }

  /** Returns the tables and their columns. Also records which columns have a default. */
  async #tables(project: string): Promise<readonly (readonly [string, readonly string[]])[]> {
    const rows = await this.#ask(
      project,
      `select c.relname, string_agg(a.attname, ','), string_agg(a.attname, ',') filter (where a.atthasdef) from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r' and c.relname in ('notes', 'tags', 'labels') and a.attnum > 0 and not a.attisdropped group by 1 order by 1`,
    )
    return rows.map(([name, columns, withDefault]: readonly (string | null)[]) => {
      this.#withDefault.set(`${project} ${name}`, new Set(withDefault?.split(',')))
      return [name, columns?.split(',') ?? []]
    })
  }

  async #rowsOf(project: string, table: string, where: string): Promise<readonly Row[]> {
    const rows = await this.#ask(project, `select to_jsonb(t)::text from ${table} as t ${where}`)
    return rows.map(([text]: readonly string[]) => JSON.parse(text ?? ''))
  }

  async #ask(project: string, sql: string): Promise<Json> {
    const path = `/_emulator/v1/projects/${project}/sql`
    const { body, text } = await callsTo(this.#url)<Json>('POST', path, {
      body: { sql, identity: 'owner' },
    })
    if (body.error !== null) throw new Error(`${project}: ${sql}: ${text}`)
    return body.results.at(-1).rows
  }
}

function versionOf(at: number): string {
  return `2026010${at + 1}000000`
}

/** The values that the application writes, as SQL. */
const VALUES: Readonly<Record<string, string>> = {
  title: "'Mine'",
  body: "'mine'",
  stars: '5',
  points: '7',
  done: 'true',
  name: "'mine'",
}
const NULLABLE: ReadonlySet<string> = new Set(['body', 'stars'])
/** Constant defaults of the steps. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  body: 'none',
  stars: 3,
  points: 0,
  done: false,
}
